/** The text of the page's ARIA live region, which screen readers read out when it changes. */
let text = $state('');

export const announcement = (): string => text;

/** Read a message out. Returns a function that clears it, with which an effect cleans up when its page is left. */
export function announce(message: string): () => void {
  text = message;
  return () => {
    if (text === message) text = '';
  };
}
