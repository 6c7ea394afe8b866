/** The words of the chosen language, from the shared catalogues. */
import de from 'virtual:catalogue/de';
import en from 'virtual:catalogue/en';
import nl from 'virtual:catalogue/nl';

type Catalogue = Record<string, string | string[]>;
export type Values = Record<string, string | number>;

export const LANGUAGES = { en: 'English', de: 'Deutsch', nl: 'Nederlands' } as const;
export type Language = keyof typeof LANGUAGES;

const ADDRESSES: Record<Language, string> = { en, de, nl };

let spoken = $state<Language>('en');
let catalogue = $state.raw<Catalogue>({});

/** The device's language where there is a catalogue for it. */
export function deviceLanguage(): Language {
  const found = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in LANGUAGES);
  return (found as Language | undefined) ?? 'en';
}

/** Change to a language, or to the device's own. */
export async function speak(wanted: Language | null): Promise<void> {
  const next = wanted ?? deviceLanguage();
  const answer = await fetch(ADDRESSES[next]);
  catalogue = (await answer.json()) as Catalogue;
  spoken = next;
  document.documentElement.lang = next;
}

export const language = (): Language => spoken;

/** Whether the catalogue has a message: bots and variants of one's own may have none. */
export const known = (id: string): boolean => id in catalogue;

/** A message with its values filled in. */
export function t(id: string, values: Values = {}): string {
  const found = catalogue[id] ?? id;
  return fill(Array.isArray(found) ? found[1]! : found, values);
}

/** A message about a number of things. */
export function n(id: string, count: number, values: Values = {}): string {
  const found = catalogue[id] ?? id;
  return fill(Array.isArray(found) ? found[count === 1 ? 0 : 1]! : found, { count, ...values });
}

function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
}

/** `Anna, Ben and Chloe`. */
export function listed(words: string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string {
  return new Intl.ListFormat(spoken, { type }).format(words);
}

/** A text of a variant's own file, which comes in the languages its author speaks. */
export function own(texts: Record<string, string>): string {
  return texts[spoken] ?? texts['en'] ?? Object.values(texts)[0] ?? '';
}

export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** A number with a proper minus. */
export const signed = (points: number): string => String(points).replace('-', '−');
