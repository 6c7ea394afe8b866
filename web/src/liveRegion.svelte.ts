/** The one line that a screen reader is told when something has changed. */
let said = $state('');

export const announcement = (): string => said;

export function announce(text: string): void {
  said = text;
}
