/**
 * Builds the page: src/dashboard becomes dist/dashboard, a few files with hashed names that
 * src/workbench/page-files.ts serves below /_platen.
 */

import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('./src/dashboard/'),
  base: '/_platen/',
  // The same page whatever NODE_ENV says: a test run that packs the package makes no page for developers.
  define: { 'process.env.NODE_ENV': '"production"' },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  build: {
    outDir: here('./dist/dashboard/'),
    emptyOutDir: true,
    target: 'es2023',
    // Nothing inline: the policy of the page allows files of its own origin alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  logLevel: 'warn',
});
