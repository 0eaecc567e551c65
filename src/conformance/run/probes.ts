/**
 * Probes: what a target can do beyond what it declares, found out by trying, once a run and only when a check
 * needs it. The reference service in this process needs no probe: there a failure is a finding.
 *
 *   webhook-receiver   a webhook that leads to this machine is sent a request when a computer connects, and what it is
 *                      told of a print job may say which one
 *   websocket          the scale websocket is there and speaks messages that we know
 */

import { messageOf } from '../../common/error-message.ts';
import { leavesOf } from '../../common/places.ts';
import { createRandom } from '../../common/random.ts';
import { within } from '../../common/waiter.ts';
import { describeMismatch } from '../../oracle/mismatch.ts';
import type { Need } from '../../specification/clause.ts';
import type { RunDialect } from '../dialect/dialect.ts';
import type { Transport } from '../context/api-client.ts';
import { ifOffered, isAbsence } from '../context/check-ended.ts';
import type { ConnectedComputer } from '../context/computers.ts';
import { openContext, type CheckContext } from '../context/context.ts';
import { eventsOf } from '../context/events.ts';
import { createHistory } from '../context/history.ts';
import { jobBody, submit } from '../context/jobs.ts';
import { followScales } from '../context/scale-feed.ts';
import { createTraffic } from '../context/traffic.ts';
import { isId } from '../expect/records.ts';

/** Needs that only a trial can show to be met. */
export type Probed = Extract<Need, 'webhook-receiver' | 'websocket'>;

export function isProbed(need: Need): need is Probed {
  return Object.hasOwn(TRIALS, need);
}

/** What was found out so far. */
export interface Probes {
  /**
   * Why the target cannot do this, or undefined when it can. Tried at the first call.
   *
   * @throws CheckEnded where it asks for what is not there
   */
  whyNot(what: Probed): Promise<string | undefined>;
  /** What was tried and can be done. */
  readonly able: readonly Probed[];
  /** What could not be removed after a trial. */
  readonly leftBehind: readonly string[];
}

export interface ProbesOptions extends Pick<Transport, 'target' | 'sender' | 'turns' | 'offers' | 'reader'> {
  readonly runTag: string;
  readonly dialect: RunDialect;
}

const RECEIVER_LIMIT = '10s';
/** The limit for a whole trial, in real time: a client program takes a while to start. */
const TRIAL_LIMIT = '2m';

export function createProbes(options: ProbesOptions, leftBehind: string[] = []): Probes {
  const found = new Map<Probed, Promise<string | undefined>>();
  const able: Probed[] = [];
  const tryOut = async (what: Probed): Promise<string | undefined> => {
    const reason =
      options.target.kind === 'embedded'
        ? undefined
        : await tryWithin(what, inProbe(options, what, leftBehind, TRIALS[what]));
    if (reason === undefined) able.push(what);
    return reason;
  };
  return {
    able,
    leftBehind,
    whyNot(what) {
      const reason = found.get(what) ?? tryOut(what);
      found.set(what, reason);
      return reason;
    },
  };
}

function tryWithin(what: Probed, trial: Promise<string | undefined>): Promise<string | undefined> {
  return within(trial, { description: `the trial of ${what}`, limit: TRIAL_LIMIT }).catch((error: unknown) => {
    if (isAbsence(error)) throw error;
    return messageOf(error);
  });
}

const TRIALS: Readonly<Record<Probed, (context: CheckContext) => Promise<string | undefined>>> = {
  'webhook-receiver': tryReceiver,
  websocket: tryWebsocket,
};

/** Does work in a context that is no check's; what it sends is no part of the run. @throws what the work throws */
export async function inProbe<Found>(
  options: ProbesOptions,
  name: string,
  leftBehind: string[],
  work: (context: CheckContext) => Promise<Found>,
): Promise<Found> {
  const transport: Transport = {
    ...options,
    history: createHistory(),
    waitedMs: () => 0,
    exchanges: [],
    wireFailures: [],
    met: [],
    traffic: createTraffic(),
    jobIds: [],
    idNameOf: (question, isUnclear) => options.dialect.speakIf(isUnclear, question, transport),
    webhookUrls: new Set(),
    signal: new AbortController().signal,
  };
  const open = openContext({
    checkId: `probe/${name}`,
    transport,
    random: createRandom(`${options.runTag}/${name}`),
    runTag: options.runTag,
    propertyRuns: 1,
    speak: (question) => options.dialect.speak(question, transport),
  });
  try {
    return await work(open.context);
  } finally {
    leftBehind.push(...(await open.close()).map((line) => `${name}: ${line}`));
  }
}

async function tryReceiver(context: CheckContext): Promise<string | undefined> {
  const { target, listening, computers } = context;
  if (!target.link) return 'the target has no link, and without computers there are no events to send';
  const listener = await listening.listen();
  const computer = await computers.connect();
  const requests = await listener.waitForRequests(1, RECEIVER_LIMIT);
  if (requests.length === 0) {
    return `the target sent nothing to ${new URL(listener.url).origin} when a computer connected; it must be able to reach this machine`;
  }
  const jobId = await ifOffered(printTo(context, computer));
  if (jobId === undefined) return undefined;
  const told = await listener.waitForRequests(requests.length + 1);
  const events = eventsOf(told).filter(({ object }) => object['type'] === 'print job state');
  if (events.length === 0 || events.some(({ object }) => mayName(object['data']))) return undefined;
  return 'no value in the data of an event can be the id of its print job, so events cannot be told apart (gap/print-job-event-data)';
}

/** Where printers are not listed, no job can be for one. */
async function printTo(context: CheckContext, computer: ConnectedComputer): Promise<number> {
  return submit(context, jobBody(computer.printerId));
}

/** Whether something in it may be an id. */
function mayName(data: unknown): boolean {
  return leavesOf(data).some(([, leaf]) => isId(Number(leaf)));
}

async function tryWebsocket({ target }: CheckContext): Promise<string | undefined> {
  const { value, mismatch } = await followScales({ target, apiKey: target.apiKey });
  await value?.[Symbol.asyncDispose]();
  return mismatch && describeMismatch(mismatch);
}
