/**
 * Vite plugin for the shared gettext catalogues: `virtual:catalogue/de` is the URL of de/LC_MESSAGES/rowlock.po as JSON.
 *
 * The messages of the coach, of set-up, lobby and menu, of results, of the settings of a game and of past games, which most visits do not need, are in a file of their own: `virtual:catalogue/de-coach`.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const PREFIX = 'virtual:catalogue/';
const COACH = /^(lesson|access|bot\.[a-z]+\.about$|error\.(?:connections|decided|dice|dice-changed|dice-stand|early|history|illegal|not-followed|not-to-act|full|id-reused|late|limit|message|no-person|no-request|no-takeback|no-undo|outdated|lost-seat|removed|seat-refused|takeback-declined|not-absent|not-decided|not-over|not-to-roll|not-started|not-yours|origin|past|too-large|lucky|name|name-taken|not-host|seat-taken|sheet|variant-file|not-starting|share|no-secrets|server-full|tables|record|bot|variant)$|learn|invite|end(?!\.(?:shared|solo|winner|you-share|you-win-with)$)|gives\.long|lobby|menu(?!\.title$)|result|speed|why|settings(?!\.(?:language|sound)$)|set-up(?!\.level$)|consequence|grade|rating|hint|enter|review|puzzle|preferences|shortcut|history|statistics|challenge|share|rolls|fair|record|scoring|replay|rules(?!\.(?:of|pick|play|steps|swaps|title)$))(?:\.|$)/;
const FOLDER = new URL('../src/rowlock/locale/', import.meta.url);

type Catalogue = Record<string, string | string[]>;

export function catalogues(): Plugin {
  return {
    name: 'rowlock-catalogues',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const name = id.slice(PREFIX.length + 1);
      const [language, part] = name.split('-');
      const file = fileURLToPath(new URL(`${language}/LC_MESSAGES/rowlock.po`, FOLDER));
      this.addWatchFile(file);
      const messages = Object.entries(parseCatalogue(readFileSync(file, 'utf8'))).filter(([message]) => COACH.test(message) === (part === 'coach'));
      const source = JSON.stringify(Object.fromEntries(messages));
      if (this.environment.mode === 'dev') return `export default ${JSON.stringify(`data:application/json,${encodeURIComponent(source)}`)}`;
      const asset = this.emitFile({ type: 'asset', name: `${name}.json`, source });
      return `export default import.meta.ROLLUP_FILE_URL_${asset}`;
    },
  };
}

/** The messages of a .po file without those of the terminal, of link previews and of printed sheets; a message with plural forms is a list. */
function parseCatalogue(text: string): Catalogue {
  const catalogue: Catalogue = {};
  for (const block of text.split(/\n{2,}/)) {
    const entry: Record<string, string> = {};
    let field = '';
    for (const line of block.split('\n')) {
      const start = /^(msgid|msgid_plural|msgstr(?:\[\d\])?) (".*")$/.exec(line);
      if (start) entry[(field = start[1]!)] = JSON.parse(start[2]!) as string;
      else if (line.startsWith('"')) entry[field] += JSON.parse(line) as string;
    }
    const id = entry['msgid'];
    if (!id || /^(terminal|preview|print)\./.test(id)) continue;
    catalogue[id] = entry['msgstr'] ?? [entry['msgstr[0]']!, entry['msgstr[1]']!];
  }
  return catalogue;
}
