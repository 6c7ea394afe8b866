import { defineConfig, mergeConfig } from 'vitest/config';
import vite from './vite.config.ts';

/** Svelte is compiled and runs as in a browser, so that effects run; there is no document. */
export default mergeConfig(
  vite,
  defineConfig({
    resolve: { conditions: ['browser'] },
    test: { environment: './clientEnvironment.ts', server: { deps: { inline: [/svelte/, 'esm-env'] } } },
  }),
);
