/**
 * together: requests that are sent at the same time. A service may act on them in any order.
 */

import { z } from 'zod';

import { below } from '../vocabulary/names.ts';
import { KEPT, outcomeOf, type StepOutcome } from '../vocabulary/outcome.ts';
import type { Setup } from '../setup/setup.ts';
import { request } from './request.ts';
import { stepKind, type Action } from './step.ts';

const MOST = 10;

type Requests = readonly Action[];

export const together = stepKind<Requests>({
  about: 'The caller sends several requests at the same time, which the service may act on in any order.',
  args: z.array(request).min(2).max(MOST),
  summary: (requests) => requests.map(({ summary }) => summary).join(', at the same time '),
  names: (requests) => requests.flatMap(({ names }, index) => below(index, names)),
  run: sendAll,
});

async function sendAll(requests: Requests, setup: Setup): Promise<StepOutcome> {
  const outcomes = await setup.recorder.together(() => Promise.all(requests.map((one) => one.run(setup))));
  const breaks = outcomes.flatMap((one) => (one.kind === 'broken' ? one.breaks : []));
  return breaks.length > 0 ? outcomeOf(breaks) : (outcomes.find(({ kind }) => kind === 'inconclusive') ?? KEPT);
}
