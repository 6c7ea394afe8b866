import { beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('Element', FakeElement);
  dialog = false;
  vi.stubGlobal('document', { querySelector: () => (dialog ? {} : null) });
});

let dialog = false;
class FakeElement {
  constructor(private typing: boolean) {}
  closest(): unknown {
    return this.typing ? this : null;
  }
}
const press = (key: string, more: object = {}): KeyboardEvent => ({ key, target: new FakeElement(false), ...more }) as unknown as KeyboardEvent;

test('a single character is a shortcut, also with shift', async () => {
  const { pressedShortcut } = await import('./shortcuts.ts');
  expect([press('p'), press('P', { shiftKey: true }), press('?', { shiftKey: true })].map(pressedShortcut)).toEqual(['p', 'p', '?']);
  expect([press('Enter'), press(' '), press('ArrowLeft')].map(pressedShortcut)).toEqual([null, null, null]);
});

test('not with a modifier, repeated, handled already, while typing or under a dialog', async () => {
  const { pressedShortcut } = await import('./shortcuts.ts');
  for (const more of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { repeat: true }, { defaultPrevented: true }, { target: new FakeElement(true) }]) {
    expect(pressedShortcut(press('p', more))).toBe(null);
  }
  dialog = true;
  expect(pressedShortcut(press('p'))).toBe(null);
});

test('none if they are switched off, and no button names its own', async () => {
  const { pressedShortcut, shortcut } = await import('./shortcuts.ts');
  const { device } = await import('./storage.svelte.ts');
  expect(shortcut('p')).toBe('p');
  device.prefer({ shortcuts: false });
  expect(pressedShortcut(press('p'))).toBe(null);
  expect(shortcut('p')).toBe(undefined);
});
