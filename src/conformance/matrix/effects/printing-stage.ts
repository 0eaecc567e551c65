/**
 * Printing stage: what the endpoints of computers, printers and print jobs are tried on. One serves all endpoints of a
 * caller.
 *
 *   desk     a connected computer
 *   store    one that is away, with two printers; jobs wait for the first one
 *   attic    one that is away, and is deleted
 *
 * In the end the store comes back, and gets what still waits for it: each job that was left alone, and no other.
 */

import { CheckEnded } from '../../context/check-ended.ts';
import { plainPrinter, type ConnectedComputer } from '../../context/computers.ts';
import type { CheckContext } from '../../context/context.ts';
import { jobBody, submit } from '../../context/jobs.ts';
import { expectEmpty, expectThat } from '../../expect/that.ts';
import type { Caller } from './caller.ts';
import type { JudgeEffect } from './effect.ts';
import { lazily } from './lazily.ts';

export interface PrintingStage {
  /** Its `api` is that of the caller. */
  readonly context: CheckContext;
  readonly caller: Caller;
  readonly desk: () => Promise<ConnectedComputer>;
  readonly store: () => Promise<ConnectedComputer>;
  readonly attic: () => Promise<ConnectedComputer>;
  /** A job that the desk has printed. */
  readonly printed: () => Promise<number>;
  /** Three later jobs that wait for the first printer of the store. */
  readonly waiting: () => Promise<readonly number[]>;
  /** Has it judged in the end that the store did not get this job, and got those that were left. */
  readonly cancelled: (jobId: number, judge: JudgeEffect) => void;
  /** Judges what was left for the end. */
  readonly settle: () => Promise<void>;
}

export function openStage(whole: CheckContext, caller: Caller): PrintingStage {
  const { api, owner } = caller;
  const context: CheckContext = { ...whole, api };
  const { computers } = context;
  const store = lazily(async () => {
    const printers = ['front', 'back'].map((key) => plainPrinter({ key, name: `Printer ${key}` }));
    return computers.away({ owner: await owner(), printers });
  });
  const desk = lazily(async () => computers.connect({ owner: await owner() }));
  const printed = lazily(async () => {
    const computer = await desk();
    const id = await submit(context, jobBody(computer.printerId));
    if (!(await computer.waitForJob(id))) throw new CheckEnded('blocked', `job ${id} was not delivered`);
    await computer.report(id, 'done');
    await context.elapse(0);
    return id;
  });
  const waiting = lazily(async () => {
    await printed();
    const { printerId } = await store();
    return [
      await submit(context, jobBody(printerId)),
      await submit(context, jobBody(printerId)),
      await submit(context, jobBody(printerId)),
    ];
  });
  const cancelled: { readonly jobId: number; readonly judge: JudgeEffect }[] = [];
  return {
    context,
    caller,
    desk,
    store,
    printed,
    attic: lazily(async () => computers.away({ owner: await owner() })),
    waiting,
    cancelled: (jobId, judge) => void cancelled.push({ jobId, judge }),
    async settle() {
      if (cancelled.length === 0) return;
      const left = await waiting();
      const { computerId } = await store();
      const got = await deliveredAgain(context, await store());
      for (const { jobId, judge } of cancelled) {
        const at = `jobs delivered to computer ${computerId} when it came back`;
        judge(
          'print-jobs/cancelled-not-delivered',
          expectEmpty(
            at,
            got.filter((id) => id === jobId),
            `no job ${jobId}`,
          ),
        );
        const areLeft = left.every((id) => got.includes(id));
        judge('print-jobs/delete-leaves-others', expectThat(areLeft, at, `${left.join(', ')} among them`, got));
      }
    },
  };
}

/** The jobs that waited for a computer: it comes back, and gets one more after them. */
export async function deliveredAgain(context: CheckContext, computer: ConnectedComputer): Promise<readonly number[]> {
  await computer.connect();
  const last = await submit(context, jobBody(computer.printerId));
  if (!(await computer.waitForJob(last))) throw new CheckEnded('blocked', `job ${last} was not delivered`);
  await computer.disconnect();
  await context.elapse(0);
  return computer.deliveries.map(({ jobId }) => jobId);
}
