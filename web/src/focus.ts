/** Focus a button that has appeared, so that the keyboard goes on there; nothing is taken from somebody who is elsewhere on the page. */
export function takeFreeFocus(button: HTMLButtonElement): void {
  const { activeElement, body } = document;
  if (activeElement === body || activeElement?.matches('main, .own-sheet')) button.focus({ preventScroll: true });
}
