import { expect, test } from 'vitest';
import type { LocalGame } from './game.ts';
import { exportedRecords, hashOf, importedGame, playedGame } from './played.ts';

const NOW = Date.parse('2026-11-18T12:00:00Z');

/** What these functions read of a game that is over; its record has its tags. */
function game(players: string[], tags: Record<string, string>, name = 'classic'): LocalGame {
  const scores = players.map((_, seat) => 50 - seat);
  return {
    setup: { players },
    tags,
    name,
    variant: { file: null },
    result: () => ({ scores, winners: [0] }),
    position: () => ({ sheets: players.map((_, seat) => ({ locks: ['R'], misthrows: seat })) }),
    record: () => [`[Variant "${name}"]`, `[Players "${players.join('; ')}"]`, ...Object.entries(tags).map(([tag, value]) => `[${tag} "${value}"]`), `[Result "${scores.join(' ')}"]`, ''].join('\n'),
  } as unknown as LocalGame;
}

/** The tags of a record. */
const tagsOf = (record: string): Record<string, string> =>
  Object.fromEntries([...record.matchAll(/^\[(\w+) "(.*)"\]$/gm)].map((found) => [found[1]!, found[2]!]).filter(([tag]) => !['Variant', 'Players', 'Result'].includes(tag!)));

test('an exported game is the same game when it is imported', () => {
  const players = ['greedy', 'Anna', 'Ben'];
  const played = playedGame(game(players, { Date: '2026-11-17', Bots: 'greedy; ; ' }), { at: NOW - 5000, table: null, here: ['Ben'] });
  expect(played).toMatchObject({ here: [2], locks: [1, 1, 1], misthrows: [0, 1, 2], players: [{ bot: 'greedy' }, { bot: null }, { bot: null }] });
  const exported = exportedRecords([played]);
  expect(importedGame(game(players, tagsOf(exported)), 'Anna', NOW)).toEqual(played);
});

test('of another record the only person played here, or the one with the name of the settings', () => {
  expect(importedGame(game(['greedy', 'Anna'], { Bots: 'greedy; ' }), 'Zoe', NOW).here).toEqual([1]);
  expect(importedGame(game(['Ben', 'Anna'], {}), 'Anna', NOW).here).toEqual([1]);
  expect(importedGame(game(['Ben', 'Anna'], {}), '', NOW).here).toEqual([]);
});

test('a game without a time ended on its day, and never after now', () => {
  expect(importedGame(game(['Anna'], { Date: '2026-11-17' }), '', NOW).at).toBe(Date.parse('2026-11-17'));
  expect(importedGame(game(['Anna'], { Date: '2030-01-01' }), '', NOW).at).toBe(NOW);
  expect(importedGame(game(['Anna'], {}), '', NOW).at).toBe(NOW);
});

test('a challenge is of its day, its game and one player', () => {
  const day = '2026-11-18'; // Mixx B
  expect(importedGame(game(['Anna'], { Challenge: day }, 'mixx-b'), '', NOW).challenge).toBe(day);
  expect(importedGame(game(['Anna'], { Challenge: day }), '', NOW).challenge).toBeNull();
  expect(importedGame(game(['Anna', 'Ben'], { Challenge: day }, 'mixx-b'), '', NOW).challenge).toBeNull();
  expect(importedGame(game(['Anna'], { Challenge: 'soon' }), '', NOW).challenge).toBeNull();
});

test('the hash of a text has 64 bits', () => {
  expect(hashOf('')).toBe('811c9dc59747b28c');
  expect(hashOf('a')).toMatch(/^[0-9a-f]{16}$/);
  expect(hashOf('a')).not.toBe(hashOf('b'));
});
