/**
 * Service client: what the workbench asks its own service, through the front door as any caller would.
 * So the bench shows what callers see, and the same code serves a service elsewhere.
 */

import { request } from 'undici';
import { z } from 'zod';

import { holding, type Clock } from '../common/clock.ts';

const printer = z.looseObject({
  id: z.number(),
  name: z.string(),
  description: z.string(),
  state: z.string().nullable(),
  default: z.boolean().nullable(),
  computer: z.looseObject({ id: z.number(), name: z.string(), state: z.string() }),
});

const printJob = z.looseObject({
  id: z.number(),
  title: z.string().nullable(),
  source: z.string().nullable(),
  contentType: z.string(),
  state: z.string(),
  createTimestamp: z.string(),
  expireAt: z.string().nullable(),
  printer,
});

const printJobState = z.looseObject({
  state: z.string(),
  message: z.string().nullable(),
  clientVersion: z.string().nullable(),
  createTimestamp: z.string(),
  /** Milliseconds since the state `new`. */
  age: z.number(),
});

export type Printer = z.infer<typeof printer>;
export type PrintJob = z.infer<typeof printJob>;
export type PrintJobState = z.infer<typeof printJobState>;

/** Newest first, as the service lists them; more than anybody looks at. */
const LIST_LIMIT = 1_000;
/** The service is in this process: whoever waits longer waits for a bug. */
const PATIENCE_MS = 10_000;

/** Carries the badge: a secret of the bench, by which its own requests are told from those of callers. */
export const BADGE_HEADER = 'x-platen-badge';

export interface ServiceClientOptions {
  readonly url: string;
  readonly apiKey: string;
  readonly badge: string;
  readonly clock: Clock;
}

export class ServiceClient {
  readonly #url: string;
  readonly #clock: Clock;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ url, apiKey, badge, clock }: ServiceClientOptions) {
    this.#url = url;
    this.#clock = clock;
    this.#headers = {
      authorization: `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`,
      [BADGE_HEADER]: badge,
      // The journal is about what callers do.
      'x-dont-log': '1',
    };
  }

  async printers(): Promise<Printer[]> {
    return z.array(printer).parse(await this.#get(`/printers?limit=${LIST_LIMIT}`));
  }

  /** The newest jobs, newest first. */
  async jobs(): Promise<PrintJob[]> {
    return z.array(printJob).parse(await this.#get(`/printjobs?limit=${LIST_LIMIT}`));
  }

  async job(id: number): Promise<PrintJob | undefined> {
    return z.array(printJob).parse(await this.#get(`/printjobs/${id}`))[0];
  }

  /** The states a job went through, oldest first. */
  async states(id: number): Promise<PrintJobState[]> {
    return z.array(z.array(printJobState)).parse(await this.#get(`/printjobs/${id}/states`))[0] ?? [];
  }

  #get(path: string): Promise<unknown> {
    const ask = async (): Promise<unknown> => {
      const { statusCode, body } = await request(this.#url + path, { headers: this.#headers });
      const text = await body.text();
      if (statusCode === 200) return JSON.parse(text) as unknown;
      throw new Error(`the service answered GET ${path} with ${statusCode}: ${text}`);
    };
    return holding(this.#clock, `GET ${path}`, ask, PATIENCE_MS);
  }
}
