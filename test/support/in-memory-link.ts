/**
 * A service end of the link in memory: one computer at a time, deliveries and reports as values. Keeps
 * to the port: unacknowledged reports survive a drop and go out again over the next connection.
 */

import {
  LinkError,
  type DeliveredJob,
  type DeviceLink,
  type JobStateReport,
  type LinkFailure,
  type LinkRequest,
  type LinkSession,
  type ReadingReport,
} from '../../src/link/device-link.ts';
import type { PrinterReport, ScaleReport } from '../../src/link/messages.ts';

const PULLED: LinkFailure = { reason: 'silent', message: 'the plug was pulled' };

export class InMemoryLink implements DeviceLink {
  readonly printerReports: (readonly PrinterReport[])[] = [];
  readonly scaleReports: (readonly ScaleReport[])[] = [];
  readonly readings: ReadingReport[] = [];
  readonly states: JobStateReport[] = [];
  readonly holdings: (readonly number[])[] = [];
  attempts = 0;
  /** Set: every attempt to connect fails so. */
  refusal: LinkFailure | undefined;
  #request: LinkRequest | undefined;
  #connected = false;
  #waiting: (() => void)[] = [];

  async open(request: LinkRequest): Promise<LinkSession> {
    this.#request = request;
    this.#connect();
    const whenConnected = (record: () => void): Promise<void> => this.#whenConnected(record);
    const isConnected = (): boolean => this.#connected;
    return {
      computerId: 7,
      get connected(): boolean {
        return isConnected();
      },
      reportPrinters: (printers) => whenConnected(() => this.printerReports.push(printers)),
      reportScales: (scales) => whenConnected(() => this.scaleReports.push(scales)),
      reportJobState: (report) => whenConnected(() => this.states.push(report)),
      publishReading: (reading) => whenConnected(() => this.readings.push(reading)),
      reconnect: async () => this.#connect(),
      pause: () => undefined,
      resume: () => undefined,
      cut: () => this.drop(PULLED),
      close: async () => {
        this.#connected = false;
        this.#waiting = [];
      },
    };
  }

  /** Delivers as a service does; resolves at the acknowledgement. */
  async deliver(job: DeliveredJob): Promise<void> {
    await this.#request?.events.onJob(job);
  }

  drop(failure: LinkFailure = PULLED): void {
    this.#connected = false;
    this.#request?.events.onDrop(failure);
  }

  refresh(): void {
    this.#request?.events.onRefresh();
  }

  statesOf(jobId: number): string[] {
    return this.states.filter((report) => report.jobId === jobId).map((report) => report.state);
  }

  messageOf(jobId: number): string | null {
    return this.states.findLast((report) => report.jobId === jobId)?.message ?? null;
  }

  #connect(): void {
    this.attempts++;
    if (this.refusal) throw new LinkError(this.refusal);
    this.holdings.push(this.#request?.holding() ?? []);
    this.#connected = true;
    for (const record of this.#waiting.splice(0)) record();
  }

  #whenConnected(record: () => void): Promise<void> {
    return new Promise((resolve) => {
      const acknowledge = (): void => {
        record();
        resolve();
      };
      if (this.#connected) acknowledge();
      else this.#waiting.push(acknowledge);
    });
  }
}
