/**
 * Scripted computer: the client program of a check. It takes jobs and reports exactly what the check
 * tells it, when the check tells it, through the link of the target.
 *
 * Checks of a service want no surprises from a printer; where real printing matters they use a virtual
 * computer of src/devices instead.
 */

import type { Random } from '../../common/random.ts';
import type { Timekeeper } from '../../common/timekeeper.ts';
import type {
  DeliveredJob,
  DeviceLink,
  JobStateReport,
  LinkCredential,
  LinkRequest,
  LinkSession,
  ReadingReport,
} from '../../link/device-link.ts';
import type { ClientReport, PrinterReport, ScaleReport } from '../../link/messages.ts';
import { inTime } from './in-time.ts';

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
  /** Comes back as the same installation, and resolves with the id it is welcomed under. */
  connect(): Promise<number>;
}

export interface ScriptedComputerOptions {
  readonly link: DeviceLink;
  readonly serviceUrl: string;
  readonly credential: LinkCredential;
  readonly timekeeper: Timekeeper;
  readonly random: Random;
  readonly plan: ComputerPlan;
}

const DELIVERY_LIMIT = '5s';
/** After one of these a client holds a job no longer. */
const LAST_STATES: ReadonlySet<string> = new Set(['done', 'error']);

/** Connects a computer that has reported its printers. @throws LinkError */
export async function connectScriptedComputer(options: ScriptedComputerOptions): Promise<ScriptedComputer> {
  const { link, timekeeper, random, plan } = options;
  const deliveries: DeliveredJob[] = [];
  const finished = new Set<number>();
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
    holding: () => deliveries.map((job) => job.jobId).filter((jobId) => !finished.has(jobId)),
    events: {
      onJob: (job) => {
        deliveries.push(job);
        return Promise.resolve();
      },
      onRefresh: () => undefined,
      onDrop: () => undefined,
    },
  };
  let session = await openSession(link, request, plan.printers);
  return {
    computerId: session.computerId,
    client,
    printers: plan.printers,
    deliveries,
    waitForJob: (jobId) => {
      const probe = (): DeliveredJob | undefined => deliveries.find((job) => job.jobId === jobId);
      return inTime({ description: 'a delivery', limit: DELIVERY_LIMIT, every: 20, timekeeper, probe });
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
    async connect() {
      session = await openSession(link, request, plan.printers);
      return session.computerId;
    },
  };
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
