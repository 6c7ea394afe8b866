/** The text of the page's ARIA live region, which screen readers read out when it changes. */
let text = $state('');

export const announcement = (): string => text;

export function announce(message: string): void {
  text = message;
}
