/** The text of the page's ARIA live region, which screen readers read out when it changes. */
let text = $state('');

export const announcement = (): string => text;

/** Read a message out. The function that comes back clears it, so that no page shows the status of another. */
export function announce(message: string): () => void {
  text = message;
  return () => {
    if (text === message) text = '';
  };
}
