/** What the coach says, in files of their own: only lessons need them. */
import de from 'virtual:lessons/de';
import en from 'virtual:lessons/en';
import nl from 'virtual:lessons/nl';
import { addMessages, language } from '../i18n.svelte.ts';

const URLS = { en, de, nl };

export async function loadTexts(): Promise<void> {
  const response = await fetch(URLS[language()]);
  addMessages((await response.json()) as Record<string, string>);
}
