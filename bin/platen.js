#!/usr/bin/env node
/*
 * The command `platen`. In a checkout it runs the TypeScript sources as they stand; in the installed
 * package, which has no sources, it runs what `npm run build` made of them. Written so that any old
 * Node can at least parse it and say that it is too old.
 */
import { existsSync } from 'node:fs';
import * as module from 'node:module';
import process from 'node:process';

const source = new URL('../src/cli/main.ts', import.meta.url);
const built = new URL('../dist/cli/main.js', import.meta.url);
const isCheckout = existsSync(source);

// The sources use syntax that the build writes out for older versions.
const REQUIRED = isCheckout ? [24, 0] : [22, 22];
const REMEDY = isCheckout
  ? 'npm ci brings one along; npx platen and npm scripts use it.'
  : 'Install a newer Node, or add one to the project with: npm install --save-dev node@24';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < REQUIRED[0] || (major === REQUIRED[0] && minor < REQUIRED[1])) {
  process.stderr.write(
    `platen needs Node ${REQUIRED.join('.')} or newer here; this is ${process.version} (${process.execPath}).\n` +
      `${REMEDY}\n`,
  );
  process.exit(70);
}

// Compiled code is kept between runs: half of the time until a command does something.
module.enableCompileCache?.();

// A run goes on, or ends in good order, when its remarks reach no reader.
process.stderr.on('error', () => undefined);

const { main } = await import(isCheckout ? source : built);
process.exitCode = await main(process.argv.slice(2));
