/** The decisions of a review: those that cost most, and those of one player. */
import type { DecisionEvent, Review } from '../local/review.ts';
import type { Choice } from '../protocol.ts';

/** The grades of decisions that cost something. */
export const DOUBTS = ['doubtful', 'mistake', 'blunder'];
/** The grades of decisions that become puzzles. */
export const MISTAKES = ['mistake', 'blunder'];

const graded = ({ events }: Review, grades: string[]): DecisionEvent[] => events.filter((one) => one.kind === 'decision').filter((one) => grades.includes(one.grade));

/** The decisions that cost most, without those that are fine. */
export const worst = (review: Review, count = 3): DecisionEvent[] => graded(review, DOUBTS).sort((one, other) => other.loss - one.loss).slice(0, count);

export const decisionsOf = (review: Review, player: number, grades: string[]): DecisionEvent[] => graded(review, grades).filter((one) => one.player === player);

/** The choice of an option of a decision. */
export const optionOf = (decision: DecisionEvent, option: string): Choice => decision.options.find((one) => one.option === option)!.choice;

/** The decision of each player at a position of the replay. */
export const decisionsAt = ({ events }: Review, position: number): Map<number, DecisionEvent> =>
  new Map(events.flatMap((one) => (one.kind === 'decision' && one.position === position ? [[one.player, one]] : [])));
