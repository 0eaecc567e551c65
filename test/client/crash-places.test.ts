/**
 * Kills of the client program and of the print system, at each place of a job's way: a sound client prints once, and a
 * fault that shows only there is found. One place is drawn for each commit; with PLATEN_ALL_PLACES=1 all are played, in
 * some ten minutes.
 */

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { commitSample } from '../tiers/commit-sample.ts';
import { platen, startWorkbench, type RunningWorkbench } from '../support/command-line.ts';

const JOB = 'as: letter, printer: Laser';
const SUBMIT = `- submit: { ${JOB}, document: invoice.pdf }`;
const IN_TIME = 'within: 40s';
/** CUPS prints again what it has not noted down as printed when it is killed. */
const NOTED = '- advance: 5s';

interface Place {
  readonly before: string;
  readonly after?: string;
}

const PLACES: Readonly<Record<string, Place>> = {
  'before it is submitted': { before: '', after: SUBMIT },
  'once it is accepted': { before: SUBMIT },
  'once it is sent': { before: `${SUBMIT}\n  - wait: { job: letter, state: sent_to_client }` },
  'once it is done': { before: `${SUBMIT}\n  - wait: { job: letter, state: done }\n  ${NOTED}` },
  'once it is on paper': { before: `${SUBMIT}\n  - wait: { job: letter, sheets: 1, ${IN_TIME} }\n  ${NOTED}` },
};

/**
 * What is planted at each place: where the client is killed, and where its print system is. While that prints, CUPS itself
 * may print again: once is not to be expected there.
 */
const PLANTED: Readonly<Record<string, { readonly client: string; readonly spooler?: string }>> = {
  'before it is submitted': { client: 'stays-down', spooler: 'lies' },
  'once it is accepted': { client: 'loses' },
  'once it is sent': { client: 'muddles' },
  'once it is done': { client: 'reprints', spooler: 'resubmits' },
  'once it is on paper': { client: 'reprints', spooler: 'resubmits' },
};

/** Its print command says that it has worked, whatever came of it. */
const LYING_LP = '#!/bin/sh\n/usr/bin/lp "$@" 2>/dev/null || echo "request id is Laser-4711 (1 file(s))"\n';

const CLIENT = fileURLToPath(new URL('planted-client.ts', import.meta.url));

let service: RunningWorkbench;
let folder: string;

beforeAll(async () => {
  service = await startWorkbench(['--limits', 'off']);
  folder = mkdtempSync(path.join(tmpdir(), 'platen-crashes-'));
  chmodSync(folder, 0o755);
});

afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

function scenarioOf(place: string, part: string): string {
  const { before, after = '' } = PLACES[place] ?? { before: '' };
  const titled = (step: string): string => step.replace('as: letter', `as: letter, title: ${part} ${place}`);
  const steps = [titled(before), `- crash: { every: ${part}, down: 2s }`, titled(after)].filter((step) => step !== '');
  return `title: The ${part} is killed ${place}
why: Is a job printed once and reported, though the ${part} is killed?
account: child
room: { computers: [{ name: OFFICE, printers: [{ profile: laser-a4, name: Laser }] }] }
steps:
  ${steps.join('\n  ')}
  - wait: { job: letter, state: done, ${IN_TIME} }
  - wait: { job: letter, printouts: 1, ${IN_TIME} }
  - advance: 20s
expect: { service: sound, jobs: { letter: done }, sheets: { letter: 1 } }
`;
}

interface Played {
  readonly title: string;
  readonly verdict: string;
  readonly message: string;
}

/** Plays the scenarios of these places with a client that has the fault. */
async function play(
  fault: string,
  places: readonly { readonly place: string; readonly part: string }[],
): Promise<readonly Played[]> {
  const own = mkdtempSync(path.join(folder, `${fault}-`));
  chmodSync(own, 0o755);
  const scenarios = path.join(own, 'scenarios');
  mkdirSync(scenarios);
  for (const [index, { place, part }] of places.entries())
    writeFileSync(path.join(scenarios, `${String(index).padStart(2, '0')}.yaml`), scenarioOf(place, part));
  const bin = path.join(own, 'bin');
  mkdirSync(bin);
  if (fault === 'lies') writeFileSync(path.join(bin, 'lp'), LYING_LP, { mode: 0o755 });
  const program = [process.execPath, CLIENT, fault, '{folder}'];
  const command = [...program, '{url}', '--key', '{key}', '--name', '{computer}'];
  const environment = { PATH: `${bin}:${process.env['PATH']}` };
  const target = path.join(own, 'target.yaml');
  const keys = { main: service.apiKey };
  writeFileSync(target, JSON.stringify({ url: service.url, keys, client: { command, environment } }));
  const out = path.join(own, 'out');
  await platen(['run', scenarios, '--target', target, '--out', out, '-q'], {
    limit: '9m',
    alone: true,
  });
  const record = JSON.parse(readFileSync(path.join(out, 'run.json'), 'utf8')) as {
    readonly scenarios: readonly Played[];
  };
  return record.scenarios;
}

const ALL = Object.entries(PLANTED).flatMap(([place, faults]) =>
  Object.entries(faults).map(([part, fault]) => ({ place, part, fault })),
);

const LIMIT_MS = 600_000;

it.each(commitSample('crash-places', ALL, process.env['PLATEN_ALL_PLACES'] === undefined ? 1 : ALL.length))(
  'prints once and reports, and finds the client that $fault, where the $part is killed $place',
  { tags: ['print-system'], timeout: LIMIT_MS },
  async (one) => {
    const verdicts = async (fault: string): Promise<readonly (readonly string[])[]> =>
      (await play(fault, [one])).map(({ verdict, message }) => [verdict, message]);
    expect(await verdicts('none')).toEqual([['pass', '']]);
    expect(await verdicts(one.fault)).toEqual([['fail', expect.any(String)]]);
  },
);
