import { defineConfig } from 'vite';

/** The service worker, after the client: one classic script, as not all browsers know service workers that are modules. */
export default defineConfig({
  build: {
    outDir: '../src/rowlock/server/static',
    emptyOutDir: false,
    copyPublicDir: false,
    modulePreload: false,
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    rolldownOptions: {
      input: 'service-worker/sw.ts',
      output: { format: 'iife', entryFileNames: 'sw.js' },
    },
  },
});
