import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const SPACING = /^\s*(?:(?:row-|column-)?gap|(?:padding|margin)(?:-[a-z]+)*|--[a-z-]*(?:gap|space|padding|margin)[a-z-]*):[^;]*;/gm;
// A length in px or rem other than 0 and 1px.
const LITERAL = /(?<![\w.-])-?(?!0\b|1px)[\d.]+(?:px|rem)/;

test('every gap, padding and margin comes from the tokens, also through a property of a component', () => {
  const files = globSync('src/**/*.{svelte,css}').filter((file) => !file.endsWith('tokens.css'));
  expect(files.length).toBeGreaterThan(30); // the pattern finds the files
  const literal = files.flatMap((file) => {
    const declarations = readFileSync(file, 'utf8').match(SPACING) ?? [];
    return declarations.filter((one) => LITERAL.test(one)).map((one) => `${file}: ${one.trim()}`);
  });
  expect(literal).toEqual([]);
});
