/**
 * Scripted computer: the client program of a check. It takes jobs and reports exactly what the check
 * tells it, when the check tells it, through the link of the target.
 *
 * Checks of a service want no surprises from a printer; where real printing matters they use a virtual
 * computer of src/devices instead.
 */

import { isObject } from '../../common/json-value.ts';
import type { Random } from '../../common/random.ts';
import type { Timekeeper } from '../../common/timekeeper.ts';
import {
  BeyondProgram,
  type DeliveredJob,
  type DeviceLink,
  type JobStateReport,
  type LinkCredential,
  type LinkRequest,
  type LinkSession,
  type ReadingReport,
} from '../../link/device-link.ts';
import type { ClientReport, PrinterReport, ScaleReport } from '../../link/messages.ts';
import { inTime } from './in-time.ts';
import { TOLERANCES } from '../expect/tolerances.ts';

export interface ComputerPlan {
  readonly name: string;
  readonly printers: readonly PrinterReport[];
  /** What the client says about itself, apart from name and installation. */
  readonly client?: Partial<ClientReport>;
}

export interface ScriptedComputer {
  readonly computerId: number;
  readonly client: ClientReport;
  readonly printers: readonly PrinterReport[];
  /** The scales that it has, as the service shows them where a client program reports them; undefined over a link. */
  scalesShown(): readonly ScaleReport[] | undefined;
  /** Every delivery so far, repetitions included. */
  readonly deliveries: readonly DeliveredJob[];
  /** The delivery of this job, or undefined when it has not come within the limit. */
  waitForJob(jobId: number): Promise<DeliveredJob | undefined>;
  /** Resolves when the service has acknowledged the report. */
  report(jobId: number, state: string, more?: Partial<JobStateReport>): Promise<void>;
  reportPrinters(printers: readonly PrinterReport[]): Promise<void>;
  reportScales(scales: readonly ScaleReport[]): Promise<void>;
  publishReading(reading: ReadingReport): Promise<void>;
  /** Says goodbye. Jobs for it wait from then on. */
  disconnect(): Promise<void>;
  /**
   * Comes back as the same installation, and resolves with the id it is welcomed under.
   * @param more - what its client says of itself in place of what it said at first
   */
  connect(more?: Partial<ClientReport>): Promise<number>;
}

export interface ScriptedComputerOptions {
  readonly link: DeviceLink;
  readonly serviceUrl: string;
  readonly credential: LinkCredential;
  readonly timekeeper: Timekeeper;
  readonly random: Random;
  readonly plan: ComputerPlan;
  /** How long a delivery is waited for. */
  readonly deliveryLimitMs?: number;
  /** Asks the API as the account of the computer: a client program is looked at there. */
  readonly ask?: LinkRequest['ask'];
}

/** A client program downloads, and a print queue takes its time. */
const PAPER_LIMIT = '30s';
const LOOK_EVERY_MS = 20;
/** Looks for paper, of which one asks the service whether the program has failed the job. */
const LOOKS_OF_AN_ASK = 50;
/** After one of these a client holds a job no longer. */
const LAST_STATES: ReadonlySet<string> = new Set(['done', 'error']);

/** Connects a computer that has reported its printers. @throws LinkError */
export async function connectScriptedComputer(options: ScriptedComputerOptions): Promise<ScriptedComputer> {
  const { link, timekeeper, random, plan, ask, deliveryLimitMs = TOLERANCES.deliveryLate.ms } = options;
  const deliveries: DeliveredJob[] = [];
  const finished = new Set<number>();
  let isDropped = false;
  const installationId = random.uuid();
  const client: ClientReport = {
    installationId,
    computerName: plan.name,
    // Its own: an event may name a computer by nothing else.
    hostname: `host-${installationId}`,
    inet: '192.0.2.10',
    inet6: null,
    version: '1.2.3',
    edition: null,
    ...plan.client,
  };
  const request: LinkRequest = {
    serviceUrl: options.serviceUrl,
    credential: options.credential,
    client,
    ask,
    holding: () => deliveries.map((job) => job.jobId).filter((jobId) => !finished.has(jobId)),
    events: {
      onJob: (job) => {
        deliveries.push(job);
        return Promise.resolve();
      },
      onRefresh: () => undefined,
      onDrop: ({ reason }) => {
        isDropped = reason === 'closed';
      },
    },
  };
  let session = await openSession(link, request, plan.printers);
  const computer: ScriptedComputer = {
    computerId: session.computerId,
    client,
    printers: session.printers ?? plan.printers,
    scalesShown: () => session.scales,
    deliveries,
    waitForJob: (jobId) => {
      const probe = async (): Promise<DeliveredJob | undefined> => {
        // A service may end a connection at any time, as when it is deployed; a client comes back.
        if (isDropped && !session.connected) await session.reconnect().catch(() => undefined);
        return deliveries.find((job) => job.jobId === jobId);
      };
      return inTime({ description: 'a delivery', limit: deliveryLimitMs, every: LOOK_EVERY_MS, timekeeper, probe });
    },
    report(jobId, state, more) {
      if (LAST_STATES.has(state)) finished.add(jobId);
      return session.reportJobState({
        id: random.uuid(),
        jobId,
        state,
        message: null,
        data: null,
        createTimestamp: new Date(timekeeper.now()).toISOString(),
        ...more,
      });
    },
    reportPrinters: (printers) => session.reportPrinters(printers),
    reportScales: (scales) => session.reportScales(scales),
    publishReading: (reading) => session.publishReading(reading),
    disconnect: () => session.close(),
    async connect(more) {
      session = await openSession(link, { ...request, client: { ...client, ...more } }, plan.printers);
      return session.computerId;
    },
  };
  return link.program ? ofProgram(computer, options) : computer;
}

/** A computer that a client program runs: it does what programs do, and no more. */
function ofProgram(computer: ScriptedComputer, { ask, timekeeper }: ScriptedComputerOptions): ScriptedComputer {
  return {
    ...computer,
    // Programs on one machine share its host name; what distinguishes this one is its name.
    client: { ...computer.client, hostname: computer.client.computerName },
    // In its own words.
    report: (jobId, state) => {
      if (state === 'done') return computer.report(jobId, state);
      throw new BeyondProgram(`reports '${state}' of a job; a client program decides that itself`);
    },
    waitForJob: (jobId) => {
      let looks = 0;
      const probe = async (): Promise<DeliveredJob | undefined> => {
        const job = computer.deliveries.find((one) => one.jobId === jobId);
        if (job || ++looks % LOOKS_OF_AN_ASK > 0) return job;
        const failed = await errorOf(ask, jobId);
        if (failed === undefined) return undefined;
        throw new BeyondProgram(`the client program got job ${jobId} and could not print it: ${failed}`);
      };
      return inTime({ description: 'the paper of a job', limit: PAPER_LIMIT, every: LOOK_EVERY_MS, timekeeper, probe });
    },
  };
}

/** The message with which a job ended in `error`; undefined where it did not. */
async function errorOf(ask: LinkRequest['ask'], jobId: number): Promise<string | undefined> {
  const states = [await ask?.(`/printjobs/${jobId}/states`)].flat(2) as readonly unknown[];
  const error = states.find((state) => isObject(state) && state['state'] === 'error');
  return isObject(error) ? String(error['message']) : undefined;
}

async function openSession(
  link: DeviceLink,
  request: LinkRequest,
  printers: readonly PrinterReport[],
): Promise<LinkSession> {
  const session = await link.open(request);
  await session.reportPrinters(printers);
  return session;
}
