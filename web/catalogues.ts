/** The shared gettext catalogues: `virtual:catalogue/de` is the address of what de/LC_MESSAGES/rowlock.po says. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const PREFIX = 'virtual:catalogue/';
const FOLDER = new URL('../src/rowlock/locale/', import.meta.url);

type Catalogue = Record<string, string | string[]>;

export function catalogues(): Plugin {
  return {
    name: 'rowlock-catalogues',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const file = fileURLToPath(new URL(`${id.slice(PREFIX.length + 1)}/LC_MESSAGES/rowlock.po`, FOLDER));
      this.addWatchFile(file);
      const language = id.slice(PREFIX.length + 1);
      const source = JSON.stringify(read(readFileSync(file, 'utf8')));
      if (this.environment.mode === 'dev') return `export default ${JSON.stringify(`data:application/json,${encodeURIComponent(source)}`)}`;
      const made = this.emitFile({ type: 'asset', name: `${language}.json`, source });
      return `export default import.meta.ROLLUP_FILE_URL_${made}`;
    },
  };
}

/** What a .po file holds for the browser: plain messages as texts, those with plural forms as lists. */
function read(text: string): Catalogue {
  const found: Catalogue = {};
  for (const block of text.split(/\n{2,}/)) {
    const entry: Record<string, string> = {};
    let field = '';
    for (const line of block.split('\n')) {
      const start = /^(msgid|msgid_plural|msgstr(?:\[\d\])?) (".*")$/.exec(line);
      if (start) entry[(field = start[1]!)] = JSON.parse(start[2]!) as string;
      else if (line.startsWith('"')) entry[field] += JSON.parse(line) as string;
    }
    const id = entry['msgid'];
    if (!id || id.startsWith('terminal.')) continue;
    found[id] = entry['msgstr'] ?? [entry['msgstr[0]']!, entry['msgstr[1]']!];
  }
  return found;
}
