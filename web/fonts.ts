/** Vite plugin for the display font: `@fonts/nunito.woff2`, with the characters of the messages only, made from the npm package. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const PACKAGE = new URL('node_modules/@fontsource/nunito/', import.meta.url);
const FOLDER = new URL('node_modules/.rowlock/', import.meta.url);
const LOCALE = new URL('../src/rowlock/locale/', import.meta.url);
const ASCII = String.fromCharCode(...Array.from({ length: 0x7f - 0x20 }, (_, index) => 0x20 + index));

export function fonts(): Plugin {
  return {
    name: 'rowlock-fonts',
    config: () => ({ resolve: { alias: { '@fonts': fileURLToPath(FOLDER) } } }),
    async buildStart() {
      const messages = ['en', 'de', 'nl'].map((language) => readFileSync(new URL(`${language}/LC_MESSAGES/rowlock.po`, LOCALE), 'utf8'));
      const font = readFileSync(new URL('files/nunito-latin-800-normal.woff2', PACKAGE));
      mkdirSync(FOLDER, { recursive: true });
      const subset = await subsetFont(font, ASCII + messages.join(''), { targetFormat: 'woff2', noLayoutClosure: true, noHinting: true, keepFeatures: ['kern'] });
      writeFileSync(new URL('nunito.woff2', FOLDER), subset);
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'nunito-license.txt', source: readFileSync(new URL('LICENSE', PACKAGE)) });
    },
  };
}
