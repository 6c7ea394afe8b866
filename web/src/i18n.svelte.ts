/** Messages in the chosen language, from the shared gettext catalogues. */
import de from 'virtual:catalogue/de';
import deCoach from 'virtual:catalogue/de-coach';
import en from 'virtual:catalogue/en';
import enCoach from 'virtual:catalogue/en-coach';
import nl from 'virtual:catalogue/nl';
import nlCoach from 'virtual:catalogue/nl-coach';

type Catalogue = Record<string, string | string[]>;
export type Values = Record<string, string | number>;

export const LANGUAGES = { en: 'English', de: 'Deutsch', nl: 'Nederlands' } as const;
export type Language = keyof typeof LANGUAGES;

const CATALOGUE_URLS: Record<Language, string> = { en, de, nl };
const COACH_URLS: Record<Language, string> = { en: enCoach, de: deCoach, nl: nlCoach };

let current = $state<Language>('en');
let catalogue = $state.raw<Catalogue>({});
/** Whether the messages of the coach are part of the catalogue. */
let withCoach = false;

/** The first language of the browser that has a catalogue. */
function browserLanguage(): Language {
  const found = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in LANGUAGES);
  return (found as Language | undefined) ?? 'en';
}

/** The change of the language that is under way, or the last one. */
let change = Promise.resolve();

/** Change the language; `null` is the browser's. */
export const setLanguage = (setting: Language | null): Promise<void> => (change = changeLanguage(setting));

async function changeLanguage(setting: Language | null): Promise<void> {
  const next = setting ?? browserLanguage();
  const urls = [CATALOGUE_URLS[next], ...(withCoach ? [COACH_URLS[next]] : [])];
  catalogue = Object.assign({}, ...(await Promise.all(urls.map(fetchCatalogue)))) as Catalogue;
  current = next;
  document.documentElement.lang = next;
}

const fetchCatalogue = async (url: string): Promise<Catalogue> => (await (await fetch(url)).json()) as Catalogue;

/** Load the messages of lessons, hints, reviews, past games and challenges, which are in a file of their own. */
export async function loadCoachMessages(): Promise<void> {
  await change;
  if (withCoach) return;
  const messages = await fetchCatalogue(COACH_URLS[current]);
  withCoach = true;
  catalogue = { ...catalogue, ...messages };
}

export const language = (): Language => current;

/** The language for dates and numbers, with the region of the device if that has the same language: English dates are British on a British device. */
export const locale = (): string => navigator.languages.find((tag) => tag.slice(0, 2) === current) ?? current;

/** A share of 1 in percent. */
export const formatPercent = (share: number): string => new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 0 }).format(share);

/** Whether the catalogue has a message; users' bots and variants have none. */
export const hasMessage = (id: string): boolean => id in catalogue;

/** Translate a message and fill in its values. */
export function t(id: string, values: Values = {}): string {
  const message = catalogue[id] ?? id;
  return fill(Array.isArray(message) ? message[1]! : message, values);
}

/** Translate a message with singular and plural form. */
export function n(id: string, count: number, values: Values = {}): string {
  const message = catalogue[id] ?? id;
  return fill(Array.isArray(message) ? message[count === 1 ? 0 : 1]! : message, { count, ...values });
}

function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}

/** `Anna, Ben and Chloe`. */
export function formatList(words: string[]): string {
  return new Intl.ListFormat(current).format(words);
}

/** A text of a variant file in the chosen language, else in English, else in the first language it has. */
export function localized(texts: Record<string, string>): string {
  return texts[current] ?? texts['en'] ?? Object.values(texts)[0] ?? '';
}

export const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** A number with a minus sign instead of a hyphen. */
export const formatNumber = (points: number): string => String(points).replace('-', '−');
