import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { catalogues } from './catalogues.ts';

/** What only some pages need: it is loaded with them. All else is one file, since every file costs a request and its headers. */
const LAZY = /\/src\/(learn\/|rules\/|pages\/(Learn|NewTable|Replay|Rules)\b)/;

export default defineConfig({
  // All addresses are relative to the `<base>` of index.html, so that the site can be in any folder of a web host.
  base: './',
  plugins: [catalogues(), svelte()],
  build: {
    outDir: '../src/rowlock/server/static',
    emptyOutDir: true,
    // The server's content security policy forbids inlined files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'app', test: (id) => !LAZY.test(id) }] } } },
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
  },
  server: {
    proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } },
  },
});
