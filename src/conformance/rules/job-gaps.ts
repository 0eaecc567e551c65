/**
 * What a target does with jobs, computers and printers, and their states, where the specification shows
 * nothing.
 */

import type { JsonObject } from '../../common/json-value.ts';
import { STABLE_PRINT_JOB_STATES } from '../../specification/states.ts';
import type { Rules } from '../check.ts';
import type { CheckContext } from '../context/context.ts';
import { withPrintingComputer, printed } from '../context/printing-computer.ts';
import { jobBody, readHistories, stateNames, submit, submitMany, namesIfShown } from '../context/jobs.ts';
import { plainPrinter, type ConnectedComputer } from '../context/computers.ts';
import { asRecords } from '../expect/records.ts';
import { expectStatus } from '../expect/answer.ts';
import { gapCheck, seen, shapeOf } from './gap-check.ts';

/** A record and the state that it shows. */
async function firstAt({ api }: CheckContext, path: string): Promise<JsonObject> {
  return asRecords((await api.get(path)).value)?.[0] ?? {};
}

async function stateAt(context: CheckContext, path: string): Promise<string> {
  const { state = 'not there' } = await firstAt(context, path);
  return JSON.stringify(state);
}

const computerPath = ({ computerId }: ConnectedComputer): string => `/computers/${computerId}`;

/** What a submission with something special gets. */
async function submitting(context: CheckContext, variants: Readonly<Record<string, JsonObject>>): Promise<string[]> {
  const { printerId } = await context.computers.away();
  const lines: string[] = [];
  for (const [name, more] of Object.entries(variants)) {
    lines.push(seen(name, await context.api.post('/printjobs', jobBody(printerId, more))));
  }
  return lines;
}

/** The history of a job whose client reports these states one after the other. */
async function reporting(
  context: CheckContext,
  computer: ConnectedComputer,
  states: readonly string[],
): Promise<string> {
  const jobId = await submit(context, jobBody(computer.printerId));
  await computer.waitForJob(jobId);
  for (const state of states) await computer.report(jobId, state);
  return `reported ${states.join(', ')}: ${(await stateNames(context, jobId)).join(', ')}`;
}

export const JOB_GAP_RULES: Rules = {
  ...gapCheck('gap/print-job-record', ['printer'], async (context) => {
    const { printerId } = await context.computers.away();
    const jobId = await submit(context, jobBody(printerId));
    return [shapeOf(await firstAt(context, `/printjobs/${jobId}`))];
  }),
  ...gapCheck('gap/print-job-states-shape', ['printer'], async (context) => {
    const { printerId } = await context.computers.away();
    const ids = await submitMany(context, printerId, 2);
    return [seen('states of two jobs', await context.api.get(`/printjobs/${ids.join()}/states`))];
  }),
  ...gapCheck('gap/print-job-states-paging', ['printer'], async (context) => {
    const { printerId } = await context.computers.away();
    const ids = await submitMany(context, printerId, 3);
    const lines: string[] = [];
    for (const query of ['limit=1', 'dir=asc', `after=${ids[1]}`]) {
      const answer = await context.api.get(`/printjobs/${ids.join()}/states?${query}`);
      const shown = [...(readHistories(answer)?.keys() ?? [])].map((id) => ids.indexOf(id) + 1);
      lines.push(
        `${query.replace(/\d+/, (number) => (query.startsWith('after') ? 'the second' : number))} of three jobs: ${answer.status}, jobs ${shown.join(', ')}`,
      );
    }
    return lines;
  }),
  ...gapCheck('gap/cancelled-state', ['computer'], async (context) => {
    const { printerId } = await context.computers.away();
    const jobId = await submit(context, jobBody(printerId));
    context.require(expectStatus(await context.api.delete(`/printjobs/${jobId}`), 200));
    return [(await namesIfShown(context, jobId)).join(', ') || 'it is gone, with its states'];
  }),
  ...gapCheck('gap/print-job-transitions', ['computer'], async (context) => {
    const computer = await context.computers.connect();
    return [
      await reporting(context, computer, ['done', 'error']),
      await reporting(context, computer, ['error', 'done']),
      await reporting(context, computer, ['done', 'done']),
    ];
  }),
  ...gapCheck('gap/other-print-job-states', ['computer'], async (context) => {
    const others = new Set<unknown>();
    await withPrintingComputer(context, async (computer) => {
      const body = { contentType: 'raw_base64', content: Buffer.from('label').toString('base64') };
      const jobId = await submit(context, jobBody(computer.printerId, body));
      await printed(context, computer, jobId);
      for (const name of await stateNames(context, jobId)) {
        if (!Object.hasOwn(STABLE_PRINT_JOB_STATES, String(name))) others.add(name);
      }
    });
    return [others.size === 0 ? 'none of a client of ours' : [...others].join(', ')];
  }),
  ...gapCheck('gap/computer-states', ['computer'], async (context) => {
    const computer = await context.computers.connect();
    const connected = await stateAt(context, computerPath(computer));
    await computer.disconnect();
    await context.elapse('1s');
    return [`connected: ${connected}`, `not connected: ${await stateAt(context, computerPath(computer))}`];
  }),
  ...gapCheck('gap/computer-transitions', ['computer'], async (context) => {
    const computer = await context.computers.away();
    const states = [await stateAt(context, computerPath(computer))];
    await computer.connect();
    states.push(await stateAt(context, computerPath(computer)));
    await computer.disconnect();
    await context.elapse('1s');
    states.push(await stateAt(context, computerPath(computer)));
    return [`away, back, away within a second: ${states.join(', ')}`];
  }),
  ...gapCheck('gap/printer-states', ['computer'], async (context) => {
    // What a client program cannot be made to report.
    const madeUp = context.target.link?.program ? [] : ['no_such_state', null];
    const reported = ['online', 'offline', 'out_of_paper', ...madeUp];
    const printers = reported.map((state, index) =>
      plainPrinter({ key: `printer-${index}`, name: `Printer ${index}`, default: false, state }),
    );
    const { printerIds } = await context.computers.connect({ printers });
    const lines: string[] = [];
    for (const [index, id] of printerIds.entries()) {
      lines.push(`reported ${JSON.stringify(reported[index])}: ${await stateAt(context, `/printers/${id}`)}`);
    }
    return lines;
  }),
  ...gapCheck('gap/printer-transitions', ['computer'], async (context) => {
    const [computer, away] = [await context.computers.connect(), await context.computers.away()];
    const path = `/printers/${computer.printerId}`;
    await computer.reportPrinters([plainPrinter({ state: 'offline' })]);
    const reported = await stateAt(context, path);
    await computer.reportPrinters([]);
    await context.elapse('1s');
    return [
      `reported offline: ${reported}`,
      `reported no more: ${await stateAt(context, path)}`,
      `online when its computer went away: ${await stateAt(context, `/printers/${away.printerId}`)}`,
    ];
  }),
  ...gapCheck('gap/printers-refresh', [], async ({ api }) => [
    seen('GET /printers/refresh', await api.get('/printers/refresh')),
  ]),
  ...gapCheck('gap/deleted-computer-effect', ['computer'], async (context) => {
    const computer = await context.computers.away();
    const { computerId, printerId } = computer;
    const jobId = await submit(context, jobBody(printerId));
    context.require(expectStatus(await context.api.delete(computerPath(computer)), 200));
    const printers = asRecords((await context.api.get(`/printers/${printerId}`)).value);
    const states = await context.api.get(`/printjobs/${jobId}/states`);
    const names = (readHistories(states)?.get(jobId) ?? []).map(({ name }) => name);
    const newId = await computer.connect();
    context.computers.adopt(newId);
    return [
      `its printer: ${printers?.length === 0 ? 'gone' : 'still there'}`,
      `its waiting job: ${names.join(', ') || 'gone'}`,
      `back again: ${newId === computerId ? 'the same id' : 'another id'}`,
    ];
  }),
  ...gapCheck('gap/expire-after-bounds', ['printer'], (context) =>
    submitting(context, {
      '0': { expireAfter: 0 },
      '-1': { expireAfter: -1 },
      '1.5': { expireAfter: 1.5 },
      'a hundred years': { expireAfter: 3_153_600_000 },
      '10^12': { expireAfter: 1e12 },
    }),
  ),
  ...gapCheck('gap/qty-above-maximum', ['computer'], (context) => submitting(context, { '1000': { qty: 1_000 } })),
  ...gapCheck('gap/options-outside-capabilities', ['computer'], (context) =>
    submitting(context, {
      'an unknown bin': { options: { bin: 'No such tray' } },
      'an unknown paper': { options: { paper: 'No such paper' } },
      'too many copies': { options: { copies: 10_000 } },
      'an unknown option': { options: { no_such_option: true } },
    }),
  ),
};
