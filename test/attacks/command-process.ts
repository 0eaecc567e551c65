/**
 * Command process: calls the command line again and again, and tells what each call came to.
 */

import { main } from '../../src/cli/main.ts';
import type { CommandCall } from './called-commands.ts';

process.once('disconnect', () => process.exit());

// Each call adds some, as if it were a process of its own.
for (const emitter of [process, process.stdout]) emitter.setMaxListeners(0);

let text = '';
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (chunk: Uint8Array | string): boolean => {
    text += String(chunk);
    return true;
  };
}

process.on('message', ({ argv, cwd }: CommandCall) => {
  process.chdir(cwd);
  text = '';
  // Nobody may wait any more.
  void main(argv).then((code) => process.send?.({ code, text }, () => undefined));
});
