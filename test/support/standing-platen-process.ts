/**
 * Standing platen process: calls the command line again and again. Where the output of a call ends, it writes a mark.
 */

import { main } from '../../src/cli/main.ts';
import type { StandingCall } from './standing-platen.ts';

process.once('disconnect', () => process.exit());

// Each call adds some, as if it were a process of its own.
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0);

process.on('message', (call: StandingCall) => {
  void answer(call);
});

async function answer({ argv, cwd, env, mark }: StandingCall): Promise<void> {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  Object.assign(process.env, env);
  const code = await main(argv);
  process.exitCode = undefined;
  for (const stream of [process.stdout, process.stderr]) stream.write(mark);
  process.send?.(code);
}
