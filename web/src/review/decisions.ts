/** The decisions of a review: those of some players, and those that cost most. */
import { sureLoss, type DecisionEvent, type Review } from '../local/review.ts';
import { GRADES } from '../local/layout.ts';
import type { Choice } from '../protocol.ts';

/** The grades of decisions that cost something. */
export const DOUBTS = GRADES.slice(1);
/** The grades of decisions that become puzzles. */
export const MISTAKES = GRADES.slice(2);

export const decisionsOf = ({ events }: Review, players: number[], grades: string[]): DecisionEvent[] =>
  events.filter((one) => one.kind === 'decision').filter((one) => players.includes(one.player) && grades.includes(one.grade));

/** The decisions of some players that surely cost most, without those that are fine. */
export const worst = (review: Review, players: number[], count = 3, grades = DOUBTS): DecisionEvent[] =>
  decisionsOf(review, players, grades).sort((one, other) => sureLoss(other) - sureLoss(one)).slice(0, count);

/** The choice of an option of a decision. */
export const optionOf = (decision: DecisionEvent, option: string): Choice => decision.options.find((one) => one.option === option)!.choice;

/** The decision of each player at a position of the replay. */
export const decisionsAt = ({ events }: Review, position: number): Map<number, DecisionEvent> =>
  new Map(events.flatMap((one) => (one.kind === 'decision' && one.position === position ? [[one.player, one]] : [])));
