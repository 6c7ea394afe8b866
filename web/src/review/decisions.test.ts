import { expect, test } from 'vitest';
import type { DecisionEvent, Review } from '../local/review.ts';
import { worst } from './decisions.ts';

const decision = (player: number, loss: number, grade: string, error = 0): DecisionEvent =>
  ({ kind: 'decision', player, loss, grade, error }) as DecisionEvent;

test('the decisions of a person are listed, not the larger mistakes of a bot', () => {
  const events = [decision(0, 0.01, 'doubtful'), decision(1, 0.3, 'blunder'), decision(0, 0.06, 'blunder'), decision(0, 0.001, 'fine')];
  const review = { events } as Review;
  expect(worst(review, [0]).map(({ loss }) => loss)).toEqual([0.06, 0.01]);
  expect(worst(review, [0, 1], 2).map(({ loss }) => loss)).toEqual([0.3, 0.06]);
});

test('a loss that is hardly sure comes after a smaller one that is', () => {
  const review = { events: [decision(0, 0.09, 'doubtful', 0.04), decision(0, 0.03, 'mistake', 0.002)] } as Review;
  expect(worst(review, [0]).map(({ loss }) => loss)).toEqual([0.03, 0.09]);
});
