// Generated from the kernel by web/layout.py; do not edit.

export const MAX_CELLS = 16;
export const MAX_NUMBERS = 12;
export const MAX_PLAYERS = 5;
export const HAND_DEALT = 4;
export const DISPLAYED = 4;
export const ROWS = 4;
export const PASS = 0;
export const PLAYERS = 0;
export const ROLL = 0;
export const WHITE = 1;
export const COLOUR = 2;
export const OVER = 3;
export const TAKE = 4;
export const DRAW = 5;

// Offsets in descriptions of sheets (S), states (D) and options (O).
export const S_TOTAL = 0;
export const S_POINTS = 1;
export const S_MISTHROWS = 7;
export const S_LOCKS = 8;
export const S_CLOSED = 9;
export const S_TO_LOCK = 10;
export const S_LUCKY = 14;
export const S_KIND = 16;
export const S_BAR_USED = 17;
export const S_ENDS_GAME = 18;
export const S_PAIRS = 19;
export const S_PAIR_BOXES = 20;
export const S_CELLS = 26;
export const S_SECOND = 138;
export const S_SWAPS = 202;
export const S_BAR = 212;
export const SHEET_DESCRIPTION = 244;
export const D_PHASE = 0;
export const D_TURN = 1;
export const D_ACTIVE = 2;
export const D_CLOSED = 3;
export const D_REASON = 4;
export const D_TO_ACT = 5;
export const D_WAITS_FOR_CHANCE = 6;
export const D_WINNERS = 7;
export const D_LAST_ROW = 8;
export const D_LAST_MISTHROW = 9;
export const D_NUMBER = 10;
export const D_DICE = 11;
export const D_PILE = 17;
export const D_DRAWN = 18;
export const D_DISPLAY = 19;
export const D_DISCARDS = 23;
export const D_HANDS = 84;
export const HAND_DESCRIPTION = 6;
export const D_SHEETS = 114;
export const STATE_DESCRIPTION = 1334;
export const D_EMPTY = -100;
export const O_LUCKY = 0;
export const O_MISTHROW = 1;
export const O_SECOND = 2;
export const O_SWAP = 3;
export const O_SWAPPED = 4;
export const O_TAKEN = 5;
export const O_COLOUR = 6;
export const O_CARDS = 7;
export const O_MARKS = 14;
export const O_LOCKS = 79;
export const OPTION_DESCRIPTION = 80;

// The parts of the block of memory.
export const TABLES = 0;
export const STATE = 1601;
export const DRAWN = 1787;
export const ACTIONS = 1848;
export const DECISIONS = 2369;
export const OUT = 2374;
export const SIZE = 11293;

// Offsets of values in the floats.
export const VALUES = 301;
export const ERRORS = 821;

// Depths of values.
export const NETWORK = 0;
export const ROUND = 1;
export const GRADES = ['fine', 'doubtful', 'mistake', 'blunder'];
export const LIMITS = [0.0, 0.005, 0.02, 0.05];
export const SOLO_LIMITS = [0.0, 0.5, 1.5, 4.0];
export const SURE = 2.0;
export const STAKES = [1.0, 1.0, 1.0, 0.89, 0.75, 0.64];
export const CONSEQUENCE = 3;
export const CONSEQUENCES = ['misthrow', 'no-misthrow', 'locks', 'ends-ahead', 'ends-equal', 'ends-behind', 'ends', 'more-marks', 'skips', 'skips-none', 'lock-near', 'lock-open', 'open', 'card-open'];
export const RATINGS = ['champion', 'expert', 'strong', 'steady', 'learning', 'beginner'];
export const RATING_LIMITS = [0.002, 0.007, 0.014, 0.025, 0.044];
export const SOLO_RATING_LIMITS = [0.1, 0.4, 0.9, 1.8, 5.0];

export const FLOATS = 8320;
export const LAYOUT = '8ec744dc28e7';
export const BOTS = ['random', 'eager', 'rush', 'greedy', 'evolved', 'champion'];
export const ROW_NAMES = 'RYGB';
export const CARD_COLOURS = 'rygbj';
export const REASONS = [null, 'rows', 'misthrows'];
export const PAIR_BONUSES: Record<string, number> = {'fewest': 1, 'each': 2, 'double': 3, 'points': 4, 'shield': 5};
export const SWAP_SPOT = 112;
// Obstacles by their numbers, with the names of their values.
export const OBSTACLES: [string, string[]][] = [['over', []], ['roll', []], ['turn', ['player']], ['decided', []], ['take', []], ['marked', []], ['second-marked', []], ['closed', ['row', 'players']], ['left', ['cell']], ['not-rightmost', ['cell']], ['swap-used', []], ['swap-left', ['field']], ['swap-colour', []], ['swap-sum', ['number']], ['swap-number', ['number']], ['swap-none', ['number']], ['no-card', ['colour', 'number']], ['card', ['card']], ['played-as', ['colour']], ['needed', ['needed', 'marks']], ['gap', ['count', 'allowed']], ['together', []], ['beside', []], ['lucky-row', ['number']], ['lucky-next', ['number', 'cell']], ['sum', ['number']], ['announced', ['number']], ['colour-sum', ['colour', 'low', 'high']], ['die-gone', ['colour']], ['field-sum', ['colour', 'other']], ['beside-colour', []]];
// By the kernel's states of cells and boxes.
export const CELL_STATES = ['open', 'marked', 'lost', 'closed'] as const;
export const BOX_STATES = ['free', 'used', 'free', 'struck'] as const;
export const SWAP_STATES = ['free', 'used', 'lost'] as const;
