/**
 * wait: until a job, a printer, a computer or a receiver is in a given state, up to a limit.
 */

import { z } from 'zod';

import { countOf } from '../../common/count-of.ts';
import { duration } from '../../common/duration-schema.ts';
import type { Printout } from '../../devices/printer/printout.ts';
import { uses } from '../vocabulary/names.ts';
import { seenStates, type JobStateRecord } from '../setup/records.ts';
import { count, jobState, name } from '../vocabulary/schema-types.ts';
import type { Setup } from '../setup/setup.ts';
import { broken, KEPT, type StepOutcome } from '../vocabulary/outcome.ts';
import { sheetsIn } from '../vocabulary/printed-sides.ts';
import { stepKind } from './step.ts';

const limit = duration.default('30s').describe('How long to wait at most.');

const forJob = z.strictObject({
  job: name.describe('The job.'),
  state: jobState.exactOptional().describe('Until it has had this state.'),
  sheets: count
    .exactOptional()
    .describe('Until this number of its sheets has been printed; of RAW bytes, labels, pages or receipts.'),
  printouts: count.exactOptional().describe('Until this number of its printouts has been printed.'),
  within: limit,
});
const forPrinter = z.strictObject({
  printer: name.describe('The printer.'),
  printouts: count.describe('Until this number of printouts has come out of it, of whatever jobs.'),
  within: limit,
});
const forComputer = z.strictObject({
  computer: name.describe('The computer.'),
  connected: z.boolean().default(true),
  within: limit,
});
const forWebhook = z.strictObject({
  webhook: name.describe('The webhook.'),
  requests: z.number().int().min(1).describe('Until its receiver has had this number of requests.'),
  within: limit,
});

type ForJob = z.output<typeof forJob>;
type ForPrinter = z.output<typeof forPrinter>;
type ForComputer = z.output<typeof forComputer>;
type ForWebhook = z.output<typeof forWebhook>;
type WaitArgs = ForJob | ForPrinter | ForComputer | ForWebhook;

export const wait = stepKind<WaitArgs>({
  about: 'Wait until a job, a printer, a computer or the receiver of a webhook is in a given state.',
  args: z.union([forJob, forPrinter, forComputer, forWebhook], {
    error: ({ input }) =>
      typeof input === 'string' || typeof input === 'number'
        ? 'waits for something, such as { job: letter, state: done }; the step `advance: 5s` lets time pass'
        : undefined,
  }),
  summary: (args) => `wait for ${subjectOf(args)}`,
  names: (args) => {
    if ('job' in args) return uses('job', args.job, 'job');
    if ('printer' in args) return uses('printer', args.printer, 'printer');
    return 'computer' in args ? uses('computer', args.computer, 'computer') : uses('webhook', args.webhook, 'webhook');
  },
  run: (args, setup) => {
    if ('job' in args) return waitForJob(args, setup);
    if ('printer' in args) return waitForPrinter(args, setup);
    return 'computer' in args ? waitForComputer(args, setup) : waitForWebhook(args, setup);
  },
});

function subjectOf(args: WaitArgs): string {
  if ('job' in args) return `${args.job}: ${wordsFor(args)}`;
  if ('printer' in args) return `${countOf(args.printouts, 'printout')} of ${args.printer}`;
  if ('webhook' in args) return `${countOf(args.requests, 'request')} to ${args.webhook}`;
  return `${args.computer} to be ${args.connected ? 'connected' : 'gone'}`;
}

async function waitForJob(wanted: ForJob, setup: Setup): Promise<StepOutcome> {
  const { job, state, printouts = 0, sheets = 0, within } = wanted;
  const jobs = setup.jobsNamed(job);
  const isForPaper = printouts + sheets > 0;
  let seen = 'nothing';
  const probe = async (): Promise<true | undefined> => {
    const histories = await setup.states(jobs);
    const out = isForPaper || !setup.isUnseen ? jobs.map((one) => setup.printouts(one)) : [];
    seen = histories.map((history, index) => `${seenStates(history)}, ${amountOf(out[index] ?? [])}`).join('; ');
    const hasState = histories.every((history) => state === undefined || hasHad(history, state));
    const isOut = out.every((one) => one.length >= printouts && sheetsIn(one) >= sheets);
    return hasState && isOut ? true : undefined;
  };
  const found = await setup.waitFor({ limit: within, probe });
  return found ? KEPT : broken(job, `${wordsFor(wanted)} within ${within}`, seen, [job]);
}

async function waitForPrinter({ printer, printouts, within }: ForPrinter, setup: Setup): Promise<StepOutcome> {
  const out = (): number => setup.printer(printer).printouts().length;
  const found = await setup.waitFor({ limit: within, probe: () => (out() >= printouts ? true : undefined) });
  return found
    ? KEPT
    : broken(printer, `${countOf(printouts, 'printout')} within ${within}`, countOf(out(), 'printout'));
}

function wordsFor({ state, printouts, sheets }: ForJob): string {
  const parts = [state, printouts && countOf(printouts, 'printout'), sheets && countOf(sheets, 'sheet')];
  return parts.filter((part) => typeof part === 'string').join(', ');
}

function hasHad(history: readonly JobStateRecord[], wanted: string): boolean {
  return history.some(({ state }) => state === wanted);
}

function amountOf(printouts: readonly Printout[]): string {
  return `${countOf(printouts.length, 'printout')} with ${countOf(sheetsIn(printouts), 'sheet')}`;
}

async function waitForComputer({ computer, connected, within }: ForComputer, setup: Setup): Promise<StepOutcome> {
  const probe = (): true | undefined => (setup.computer(computer).connected === connected ? true : undefined);
  const found = await setup.waitFor({ limit: within, probe });
  if (found) return KEPT;
  const reason = setup.computer(computer).lastFailure?.message;
  return broken(computer, `${connected ? 'connected' : 'gone'} within ${within}`, reason ?? 'no change');
}

async function waitForWebhook({ webhook, requests, within }: ForWebhook, setup: Setup): Promise<StepOutcome> {
  const { path } = setup.webhooks.get(webhook) ?? { path: '' };
  const { log } = await setup.sinks.receiver();
  const description = `${countOf(requests, 'request')} to ${path}`;
  const probe = (): true | undefined => (log.to(path).length >= requests ? true : undefined);
  const found = await setup.waitFor({ limit: within, probe });
  return found ? KEPT : broken(webhook, `${description} within ${within}`, countOf(log.to(path).length, 'request'));
}
