import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { catalogues } from './catalogues.ts';
import { fonts } from './fonts.ts';

export default defineConfig({
  // All addresses are relative to the `<base>` of index.html, so that the site can be in any folder of a web host.
  base: './',
  plugins: [catalogues(), fonts(), svelte()],
  build: {
    outDir: '../src/rowlock/server/static',
    emptyOutDir: true,
    // The server's content security policy forbids inlined files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Few files: with more of them a load would be larger, by headers and by worse compression.
          groups: [
            // What any page needs.
            { name: 'first', tags: ['$initial'], priority: 1 },
            // A game with all that it imports, for tables, lessons, replays and rules.
            { name: 'game', test: /src[\\/]table[\\/]Play\.svelte/ },
          ],
        },
      },
    },
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
  },
  server: {
    proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } },
  },
});
