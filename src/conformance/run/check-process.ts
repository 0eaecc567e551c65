/**
 * Check process: runs the checks that it is told to on a reference service of its own, and sends each as it ends.
 */

import { createRandom } from '../../common/random.ts';
import { embeddedTarget } from '../../targets/embedded.ts';
import { CheckEnded } from '../context/check-ended.ts';
import { CHECKS } from '../registry.ts';
import { levelOf, strictLevelOf } from '../verdict/levels.ts';
import type { CheckOrder, FromCheckProcess, ToCheckProcess } from './check-process-messages.ts';
import { runPieces } from './pieces.ts';

const stop = new AbortController();

process.on('message', (message: ToCheckProcess) => {
  if (message.type === 'stop') stop.abort(new CheckEnded('blocked', message.endedBy));
  else void run(message.order);
});
// Without its run it has no one to work for.
process.on('disconnect', () => process.exit());
// Who ends all processes at once means the run, which says when to stop.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

async function run({ ids, seed, strict, runTag }: CheckOrder): Promise<void> {
  const wanted = new Set(ids);
  try {
    const remainder = await runPieces(
      {
        // What the services of a run draw differs, as Request-Ids must.
        target: await embeddedTarget({ seed: `${seed}/${runTag}` }),
        checks: CHECKS.filter(({ id }) => wanted.has(id)),
        random: createRandom(seed),
        runTag,
        levelOf: strict ? strictLevelOf : levelOf,
        signal: stop.signal,
      },
      ({ outcome: { check, ...outcome }, ...piece }) =>
        say({ type: 'ended', piece: { ...piece, id: check.id, outcome } }),
    );
    say({ type: 'done', remainder });
  } catch (error) {
    say({ type: 'broke', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

function say(message: FromCheckProcess): void {
  process.send?.(message);
}
