import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { catalogues } from './catalogues.ts';

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
    // All modules of the first load are one file: with more files it would be larger, by headers and by worse compression.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
  },
  server: {
    proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } },
  },
});
