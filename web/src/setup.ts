/** The name of a game, `cards+jokers`: a variant, and whether it is played with jokers. */

const JOKERS = '+jokers';

export const hasJokers = (game: string): boolean => game.endsWith(JOKERS);
export const variantOf = (game: string): string => (hasJokers(game) ? game.slice(0, -JOKERS.length) : game);
export const withJokers = (variant: string): string => variant + JOKERS;
