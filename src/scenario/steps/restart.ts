/**
 * restart: the service is killed and started again.
 */

import { z } from 'zod';

import { KEPT } from '../vocabulary/outcome.ts';
import { stepKind, type Step } from './step.ts';

export const restart = stepKind<'service'>({
  about:
    'The service is killed, and started again on what it has stored: everything that it accepted must still hold. Computers connect again by themselves. Needs the reference service, or a descriptor with the hook `restart`.',
  args: z.literal('service'),
  summary: (what) => `kill the ${what}, and start it again`,
  async run(_, setup) {
    const { target, recorder } = setup;
    if (!target.restart) {
      const reason = `${target.name} cannot be restarted: give its descriptor the hook restart`;
      return { kind: 'inconclusive', reason };
    }
    // What is under way at a kill is done or lost by chance: at rest the same scenario plays the same each time.
    await setup.settle();
    recorder.add({ kind: 'restarted', atMs: recorder.nowMs() });
    await target.restart();
    await setup.settle();
    return KEPT;
  },
});

/** Whether a service is needed that can be restarted. */
export function hasRestart(steps: readonly Step[]): boolean {
  return steps.some(({ kind }) => kind === 'restart');
}
