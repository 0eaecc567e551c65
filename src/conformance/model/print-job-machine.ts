/**
 * Machine of print jobs: two printers of one computer that comes and goes.
 *
 *             submit                connect, or at once where it is connected        finish
 *   (none) ──────────► waiting ──────────────────────────────────────────► delivered ──────► done
 *                         └── cancel ──► cancelled
 */

import * as fc from 'fast-check';

import type { Mismatch } from '../../oracle/mismatch.ts';
import { ERRORS } from '../../specification/errors.ts';
import type { Dialect } from '../../targets/dialect.ts';
import type { CheckContext } from '../context/context.ts';
import { idempotencyKey, jobBody, readHistories } from '../context/jobs.ts';
import { plainPrinter, type ConnectedComputer } from '../context/computers.ts';
import { expectIdArray, expectIds, expectStatus } from '../expect/answer.ts';
import { expectEmpty, expectThat, firstOf } from '../expect/that.ts';
import { isId } from '../expect/records.ts';
import { pageOf, pageQuery, type PageInput } from '../generate/page-parameters.ts';
import { one, pick, several, type Machine, type Ruling } from './machine.ts';
import type { MoveArguments } from '../context/judgement.ts';

interface Job {
  readonly id: number;
  readonly printerId: number;
  state: 'waiting' | 'delivered' | 'done' | 'cancelled';
}

interface World {
  readonly context: CheckContext;
  readonly computer: ConnectedComputer;
  isConnected: boolean;
  /** In the order in which they were accepted. */
  readonly jobs: Job[];
  readonly usedKeys: Set<string>;
  readonly keys: readonly string[];
  /** Whether lists show cancelled jobs, and whether these have states: the specification leaves it open. */
  readonly cancelled: Dialect['cancelled-job'];
}

const number = fc.nat({ max: 9 });
const numbers = fc.array(number, { minLength: 1, maxLength: 4, size: 'max' });
const printer = fc.nat({ max: 1 });

const jobsOf = ({ jobs }: World, given: MoveArguments): readonly Job[] => [
  ...new Set(several(given, 'jobs').flatMap((which) => pick(jobs, which) ?? [])),
];
const printerOf = ({ computer }: World, given: MoveArguments): number =>
  pick(computer.printerIds, one(given, 'printer')) ?? 0;
const hasJobs = ({ jobs }: World): boolean => jobs.length > 0;
/** Those that lists show; any other is an id that does not exist. */
const listedJobs = ({ jobs, cancelled }: World): readonly Job[] =>
  cancelled.listed ? jobs : jobs.filter(({ state }) => state !== 'cancelled');
const idsOf = (jobs: readonly Job[]): readonly number[] => jobs.map(({ id }) => id);

/** The path that names some jobs, and those jobs. */
interface Named {
  readonly path: string;
  readonly jobs: readonly Job[];
}

async function submit(world: World, given: MoveArguments): Promise<readonly Ruling[]> {
  const { context, computer, jobs, usedKeys } = world;
  const printerId = printerOf(world, given);
  const key = given['key'] === undefined ? undefined : pick(world.keys, one(given, 'key'));
  const headers = key === undefined ? [] : idempotencyKey(key);
  const answer = await context.api.post(
    '/printjobs',
    jobBody(printerId, { title: context.uniqueText('job') }),
    headers,
  );
  if (key !== undefined && usedKeys.has(key)) {
    return [['print-jobs/idempotency-conflict', expectStatus(answer, ERRORS.Conflict.status)]];
  }
  const refused = expectStatus(answer, 201);
  const clause = key === undefined ? 'print-jobs/created-201' : 'print-jobs/idempotency-first-accepted';
  if (refused || !isId(answer.value)) return [[clause, refused]];
  const id = answer.value;
  const newest = jobs.at(-1)?.id ?? 0;
  const grows = expectThat(id > newest, `id of ${answer.request}`, `more than ${newest}`, id);
  const job: Job = { id, printerId, state: 'waiting' };
  jobs.push(job);
  if (key !== undefined) usedKeys.add(key);
  const rulings: Ruling[] = [
    [clause, undefined],
    ['print-jobs/created-id-grows', grows],
  ];
  if (!world.isConnected) return rulings;
  const arrived = await computer.waitForJob(id);
  await nowDelivered(world, job);
  const delivered = expectThat(arrived !== undefined, `job ${id} at its connected computer`, 'it', 'nothing');
  return [...rulings, ['print-jobs/delivered', delivered]];
}

/** A client program reports a job as done by itself, and prints on two printers in an order of its own. */
async function nowDelivered({ context, computer }: World, job: Job): Promise<void> {
  const isPrinted = context.target.link?.program !== undefined && (await computer.waitForJob(job.id)) !== undefined;
  if (isPrinted) await computer.report(job.id, 'done');
  job.state = isPrinted ? 'done' : 'delivered';
}

async function cancel({ context }: World, { path, jobs }: Named, clause: Ruling[0]): Promise<readonly Ruling[]> {
  const waiting = jobs.filter(({ state }) => state === 'waiting');
  const answer = await context.api.delete(path);
  const mismatch = firstOf(expectStatus(answer, 200), expectIdArray(answer, idsOf(waiting)));
  for (const job of waiting) job.state = 'cancelled';
  return [
    [clause, mismatch],
    ['print-jobs/delete-200-ids', mismatch],
  ];
}

/** The page that the model has. */
async function list(world: World, given: MoveArguments): Promise<readonly Ruling[]> {
  const { context, computer, cancelled } = world;
  const listed = listedJobs(world);
  const after = given['after'] === undefined ? undefined : pick(listed, one(given, 'after'))?.id;
  const page: PageInput = {
    // The paging checks cover pages that leave out cancelled jobs.
    ...(given['limit'] !== undefined && cancelled.listed && { limit: 1 + one(given, 'limit') }),
    ...(after !== undefined && { after }),
    ...(one(given, 'ascending') === 1 && { dir: 'asc' }),
  };
  const answer = await context.api.get(`/printers/${computer.printerIds.join(',')}/printjobs${pageQuery(page)}`);
  const mismatch = firstOf(expectStatus(answer, 200), expectIds(answer, pageOf(idsOf(listed), page)));
  return [
    ['print-jobs/list-of-printers', mismatch],
    ...(after === undefined ? [] : [['service/page-after', mismatch] as const]),
  ];
}

/** What the history of a job in this state must have, and must not have. */
const HISTORY: Readonly<Record<Job['state'], { readonly has: readonly string[]; readonly lacks: RegExp }>> = {
  waiting: { has: ['new'], lacks: /^(sent_to_client|done|error|expired)$/ },
  cancelled: { has: [], lacks: /^(sent_to_client|done|error|expired)$/ },
  delivered: { has: ['new', 'sent_to_client'], lacks: /^(done|error|expired)$/ },
  done: { has: ['new', 'sent_to_client', 'done'], lacks: /^(error|expired)$/ },
};

async function readStates(world: World, given: MoveArguments): Promise<readonly Ruling[]> {
  const hasStates = ({ state }: Job): boolean => state !== 'cancelled' || world.cancelled.state !== null;
  const asked = jobsOf(world, given).filter(hasStates);
  if (asked.length === 0) return [];
  const answer = await world.context.api.get(`/printjobs/${idsOf(asked).join(',')}/states`);
  const histories = readHistories(answer);
  const mismatches = asked.map(({ id, state }): Mismatch | undefined => {
    const names = (histories?.get(id) ?? []).map(({ name }) => String(name));
    const { has, lacks } = HISTORY[state];
    const holds = has.every((name) => names.includes(name)) && !names.some((name) => lacks.test(name));
    return expectThat(holds, `states of job ${id}, which is ${state}`, `${has.join(', ')} and not ${lacks}`, names);
  });
  const unasked = [...(histories?.keys() ?? [])].filter((id) => !idsOf(asked).includes(id));
  const at = `jobs in the body of ${answer.request}`;
  return [
    ['print-jobs/states-set', firstOf(expectStatus(answer, 200), ...mismatches)],
    ['print-jobs/states-set-only', expectEmpty(at, unasked, 'those of the set')],
  ];
}

/** The computer comes back and gets what waits, in its order, and nothing that was cancelled. */
async function connect(world: World): Promise<readonly Ruling[]> {
  const { computer, jobs, context } = world;
  const waiting = jobs.filter(({ state }) => state === 'waiting');
  const before = new Set(computer.deliveries.map(({ jobId }) => jobId));
  await computer.connect();
  world.isConnected = true;
  const last = waiting.at(-1);
  if (last) await computer.waitForJob(last.id);
  else await context.elapse(0);
  for (const job of waiting) await nowDelivered(world, job);
  const got = [...new Set(computer.deliveries.map(({ jobId }) => jobId))].filter((id) => !before.has(id));
  const at = 'jobs delivered to the computer when it came back';
  const missing = idsOf(waiting).filter((id) => !got.includes(id));
  const surplus = got.filter((id) => jobs.some((job) => job.id === id && job.state === 'cancelled'));
  return [
    ['print-jobs/sent-on-reconnect', expectThat(missing.length === 0, at, idsOf(waiting).join(', '), got)],
    ['print-jobs/cancelled-not-delivered', expectEmpty(at, surplus, 'no cancelled one')],
  ];
}

async function disconnect(world: World): Promise<readonly Ruling[]> {
  await world.computer.disconnect();
  await world.context.elapse(0);
  world.isConnected = false;
  return [];
}

/** Reports the oldest delivered job as done. */
async function finish(world: World): Promise<readonly Ruling[]> {
  const job = world.jobs.find(({ state }) => state === 'delivered');
  if (!job) return [];
  await world.computer.report(job.id, 'done');
  await world.context.elapse(0);
  job.state = 'done';
  return [];
}

const nothing = fc.constant({});

export const PRINT_JOB_MACHINE: Machine<World> = {
  moves: {
    submit: { draw: fc.record({ printer }), play: submit },
    'submit-with-key': { draw: fc.record({ printer, key: fc.nat({ max: 3 }) }), play: submit },
    cancel: {
      draw: fc.record({ jobs: numbers }),
      isPossible: hasJobs,
      play: (world, given) => {
        const jobs = jobsOf(world, given).filter((job) => listedJobs(world).includes(job));
        if (jobs.length === 0) return Promise.resolve([]);
        return cancel(world, { path: `/printjobs/${idsOf(jobs).join(',')}`, jobs }, 'print-jobs/delete-set');
      },
    },
    'cancel-of-printer': {
      draw: fc.record({ printer }),
      play: (world, given) => {
        const printerId = printerOf(world, given);
        const jobs = world.jobs.filter((job) => job.printerId === printerId);
        return cancel(world, { path: `/printers/${printerId}/printjobs`, jobs }, 'print-jobs/delete-of-printers');
      },
    },
    list: {
      draw: fc.record(
        { limit: fc.nat({ max: 5 }), after: number, ascending: fc.nat({ max: 1 }) },
        { requiredKeys: [] },
      ),
      play: list,
    },
    states: { draw: fc.record({ jobs: numbers }), isPossible: hasJobs, play: readStates },
    connect: { draw: nothing, isPossible: ({ isConnected }) => !isConnected, play: connect },
    disconnect: { draw: nothing, isPossible: ({ isConnected }) => isConnected, play: disconnect },
    finish: {
      draw: nothing,
      isPossible: ({ isConnected, jobs }) => isConnected && jobs.some(({ state }) => state === 'delivered'),
      play: finish,
    },
  },
  opening: [
    { move: 'submit', with: { printer: 0 } },
    { move: 'submit-with-key', with: { printer: 1, key: 0 } },
    { move: 'submit', with: { printer: 0 } },
    { move: 'cancel', with: { jobs: [0] } },
    { move: 'submit-with-key', with: { printer: 0, key: 0 } },
    { move: 'list', with: { limit: 1, after: 2 } },
    { move: 'connect', with: {} },
    { move: 'submit', with: { printer: 1 } },
    { move: 'finish', with: {} },
    { move: 'disconnect', with: {} },
    { move: 'submit', with: { printer: 1 } },
    { move: 'cancel-of-printer', with: { printer: 1 } },
    { move: 'states', with: { jobs: [0, 1, 2, 3] } },
  ],
  async begin(context) {
    const printers = [1, 2].map((which) => plainPrinter({ key: `printer-${which}`, name: `Printer ${which}` }));
    const computer = await context.computers.away({ printers });
    const keys = [0, 1, 2, 3].map((which) => context.uniqueText(`key-${which}`));
    return {
      context,
      computer,
      isConnected: false,
      jobs: [],
      usedKeys: new Set(),
      keys,
      cancelled: await context.speak('cancelled-job'),
    };
  },
  async end({ computer, isConnected }) {
    if (isConnected) await computer.disconnect();
  },
};
