/** Which names of players a record can contain; the server refuses others. */

const MAX_LENGTH = 40;
// Delimiters of the record format, control characters, line separators and lone surrogates.
const FORBIDDEN = /[;"[\]\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]/u;

export const isName = (name: string): boolean => name.length > 0 && [...name].length <= MAX_LENGTH && name === name.trim() && !FORBIDDEN.test(name);

/** The first name that occurs twice. */
export const duplicateName = (names: string[]): string | undefined => names.find((name, index) => names.indexOf(name) < index);
