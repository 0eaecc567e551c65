/**
 * Load account: an account that sends load, with what its operations remember between requests.
 */

import { basicAuthorization } from '../../common/basic-authorization.ts';
import { MEDIA_TYPES } from '../../specification/headers.ts';

/** A printer that jobs can be sent to. */
export interface AccountPrinter {
  /** Its id at the service. */
  readonly id: number;
  /** Its number among all printers of the plan. */
  readonly printer: number;
}

export class LoadAccount {
  /** Number in the plan. */
  readonly number: number;
  readonly apiKey: string;
  /** Its id at the service; null for the account of the key itself. */
  readonly id: number | null;
  /** Headers of requests without a body, and with one: name, value, name, value … */
  readonly readHeaders: string[];
  readonly writeHeaders: string[];
  printers: readonly AccountPrinter[] = [];
  computerIds: readonly number[] = [];
  /** The jobs it submitted last, as a ring; 0 in places not used yet. */
  readonly recentJobs = new Float64Array(64);
  recentCount = 0;
  /** Where the next page begins, for each list that is paged through; absent at the beginning. */
  readonly pages = new Map<string, number>();
  /** Webhooks that operations made in it. */
  readonly webhookIds: number[] = [];
  /** Webhooks that operations are making in it. */
  webhooksUnderWay = 0;
  /** Close what operations opened for it. */
  readonly closers: (() => void)[] = [];

  constructor(number: number, apiKey: string, id: number | null) {
    this.number = number;
    this.apiKey = apiKey;
    this.id = id;
    this.readHeaders = ['Authorization', basicAuthorization(apiKey)];
    this.writeHeaders = [...this.readHeaders, 'Content-Type', MEDIA_TYPES.json.value];
  }

  remember(jobId: number): void {
    this.recentJobs[this.recentCount++ % this.recentJobs.length] = jobId;
  }

  /** One of the jobs it submitted last; undefined before the first. */
  recentJob(draw: number): number | undefined {
    const known = Math.min(this.recentCount, this.recentJobs.length);
    return known === 0 ? undefined : this.recentJobs[draw % known];
  }
}
