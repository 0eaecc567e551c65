/**
 * Moment stage: what a workbench needs to let one thing go wrong for the app that uses it, and to remember all that it
 * saw. An app that starts a workbench of its own is told by its environment.
 *
 *   PLATEN_MOMENT   what goes wrong; nothing where it is empty
 *   PLATEN_HISTORY  the folder where what was seen is left
 */

import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { sleep, systemClock } from '../../common/clock.ts';
import {
  isGivenUp,
  storedHistory,
  SUBMISSION,
  type CallerHistory,
  type SeenJob,
  type SeenRequest,
} from '../../record/caller-history.ts';
import { readMoment, type Moment } from '../../record/moments.ts';
import type { WebhookSender, WebhookSenderOptions } from '../../service/delivery/webhook-request.ts';
import type { HttpFront } from '../../service/http/http-server.ts';
import type { Platen } from '../library/platen.ts';
import { MomentFront, OWN_MARK_HEADER } from './moment-front.ts';
import { MomentSender } from './moment-sender.ts';

export const MOMENT_VARIABLE = 'PLATEN_MOMENT';
export const HISTORY_VARIABLE = 'PLATEN_HISTORY';

/** How long a room has, on a virtual clock, for what an app has left behind. */
const SETTLING = '2m';
/** As many jobs as a page of a list has by default, and some. */
const CROWD_JOBS = 110;
const ACCEPTED = 201;

interface StageOptions {
  /** Where the history is left when the workbench ends. */
  readonly folder?: string | undefined;
  /** How much faster the time of the app runs than that of this process. */
  readonly speed?: number | undefined;
}

export class MomentStage {
  readonly #moment: Moment | undefined;
  readonly #folder: string | undefined;
  readonly #speed: number;
  readonly #front: MomentFront;
  readonly #ownMark = randomUUID();
  #sender: MomentSender | undefined;
  #platen: Platen | undefined;
  #isRoomReached = false;

  constructor(moment: Moment | undefined, { folder, speed = 1 }: StageOptions = {}) {
    this.#moment = moment;
    this.#folder = folder;
    this.#speed = speed;
    this.#front = new MomentFront({
      speed,
      moment: moment?.at === 'request' ? moment : undefined,
      crowd: (authorization) => this.#crowd(authorization),
      ownMark: this.#ownMark,
    });
  }

  /** The stage that the environment asks for, if it does. @throws ActionableError when its moment cannot be read */
  static ofEnvironment(): MomentStage | undefined {
    const { [MOMENT_VARIABLE]: moment = '', [HISTORY_VARIABLE]: folder } = process.env;
    if (folder === undefined) return undefined;
    return new MomentStage(moment === '' ? undefined : readMoment(moment), { folder });
  }

  /** Whether the app is being asked something. */
  get isWaitedFor(): boolean {
    return (this.#sender?.underWay ?? 0) > 0;
  }

  before(service: HttpFront): HttpFront {
    return this.#front.before(service);
  }

  readonly sender = (options: WebhookSenderOptions): WebhookSender => {
    const fault = this.#moment?.at === 'event' ? this.#moment.fault : undefined;
    this.#sender = new MomentSender(options, fault, { sinceStartMs: this.#front.sinceStartMs, speed: this.#speed });
    return this.#sender;
  };

  /** Lets happen what happens before an app begins. */
  async begin(platen: Platen): Promise<void> {
    this.#platen = platen;
    if (this.#moment?.at !== 'room') return;
    this.#isRoomReached = true;
    const { computers } = await platen.room();
    for (const { name, printers } of computers) {
      if (this.#moment.fault === 'computer-away') await platen.computer(name).disconnect();
      else for (const printer of printers) await platen.printer(printer.name, name).fault('media-jam');
    }
  }

  /** What was seen, once the room had time for what was left. */
  async history(): Promise<CallerHistory> {
    const platen = this.#platen;
    const { deliveries = [], pending = 0, isReached: isSenderReached = false } = this.#sender ?? {};
    // What comes later would find the app gone.
    const endedMs = pending > 0 ? 0 : this.#front.sinceStartMs();
    if (platen?.clock.isVirtual) await platen.clock.advance(SETTLING);
    const { isReached } = this.#front;
    const requests = this.#front.requests.map((request) => ({ ...request, jobId: jobIdOf(request) }));
    const jobs: SeenJob[] = [];
    for (const { jobId } of requests) if (platen && jobId !== null) jobs.push(await jobAtEnd(platen, jobId));
    return {
      requests,
      deliveries: deliveries.map((sent) => ({ ...sent, leftMs: endedMs - sent.sentMs - sent.tookMs })),
      jobs,
      isReached: isReached || this.#isRoomReached || isSenderReached,
    };
  }

  /** Leaves what was seen where the environment says; call before the workbench ends. */
  async end(): Promise<void> {
    if (this.#folder === undefined || this.#platen === undefined) return;
    const file = path.join(this.#folder, `${randomUUID()}.json`);
    const history = await this.history();
    // Tests end before the printers of their workbench do: what the service has taken will come out.
    const jobs = history.jobs.map((job) => ({ ...job, papers: Math.max(job.papers, isGivenUp(job) ? 0 : job.qty) }));
    writeFileSync(file, storedHistory({ ...history, jobs }));
  }

  async #crowd(authorization: string): Promise<void> {
    const platen = this.#platen;
    if (!platen) return;
    const printers = await platen.printers();
    const headers = { authorization, 'content-type': 'application/json', [OWN_MARK_HEADER]: this.#ownMark };
    // All at once: the app waits for its answer meanwhile.
    const jobs = Array.from({ length: CROWD_JOBS }, (_, index) => {
      const body = JSON.stringify({
        ...CROWD_JOB,
        printerId: printers.at(-1)?.id,
        title: `till 9, receipt ${index + 1}`,
      });
      return submitPatiently(`${platen.url}/printjobs`, { method: 'POST', headers, body });
    });
    await Promise.all(jobs);
  }
}

/** The other till keeps within the request rate as well. */
async function submitPatiently(url: string, request: RequestInit): Promise<void> {
  for (let tries = 0; tries < CROWD_TRIES; tries++) {
    const { status } = await fetch(url, request);
    if (status === ACCEPTED) return;
    await sleep(systemClock, CROWD_WAIT_MS);
  }
}

const CROWD_TRIES = 5;
const CROWD_WAIT_MS = 100;

const CROWD_JOB = { source: 'another till', contentType: 'raw_base64', content: 'eA==' } as const;

function jobIdOf({ place, answer }: SeenRequest): number | null {
  return place === SUBMISSION && answer?.status === ACCEPTED ? Number(answer.body) : null;
}

async function jobAtEnd(platen: Platen, id: number): Promise<SeenJob> {
  const { state, qty, printouts } = await platen.jobs.get(id);
  return { id, state, qty, papers: printouts.filter(({ complete }) => complete).length };
}
