import { expect, test, vi } from 'vitest';
import type { View } from './protocol.ts';
import { offerMessage, offersFor } from './table/replacement.ts';

vi.mock('./i18n.svelte.ts', () => ({ t: (key: string) => key, hasMessage: () => true, formatList: (names: string[]) => names.join() }));

test('a vote for a bot can be repeated when nobody is missing any more', () => {
  const seats = ['Anna', 'Ben', 'Chloe'].map((name) => ({ name, kind: 'person', bot: null, connected: name !== 'Anna', absent: false, trouble: null }));
  const view = { state: 'running', seats, own: [{ seat: 2 }], to_act: [1], votes: { seat: 1, bot: 'greedy', voters: [2] } } as unknown as View;
  const [offer] = offersFor(view, false);
  expect(offer).toMatchObject({ missing: [], canVote: true });
  expect(offerMessage(view, offer!)).not.toContain('say.waiting');
});
