/**
 * Builds the page into dist/dashboard: a few files with hashed names, which src/workbench/page-files.ts
 * serves below /_platen.
 */

import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/_platen/',
  // The same page whatever NODE_ENV says: a test run that packs the package must not make a development build.
  define: { 'process.env.NODE_ENV': '"production"' },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  build: {
    outDir: '../../dist/dashboard/',
    emptyOutDir: true,
    // As it is written: current browsers know all of it.
    target: 'esnext',
    // Nothing inline: the policy of the page allows files of its own origin alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  // Vite's loader of later parts preloads what they need: the one there is needs nothing more.
  plugins: [
    {
      name: 'plain-imports',
      enforce: 'pre',
      load: (id) => (id.includes('vite/preload-helper') ? 'export const __vitePreload = (load) => load();' : undefined),
    },
  ],
  logLevel: 'warn',
});
