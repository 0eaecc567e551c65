/**
 * Delivered job: a job as its client got it, beside what was submitted.
 */

import type { DeliveredJob } from '../../link/device-link.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import type { JsonObject } from '../expect/records.ts';
import { expectEqual } from '../expect/that.ts';
import { CheckEnded } from './check-ended.ts';
import type { CheckContext } from './context.ts';
import { jobBody, submit } from './jobs.ts';
import type { ConnectedComputer } from './computers.ts';

/**
 * Submits a job to a connected computer, and returns what arrives there. Ends the check when nothing does.
 */
export async function deliver(
  context: CheckContext,
  computer: ConnectedComputer,
  more?: JsonObject,
): Promise<DeliveredJob> {
  const jobId = await submit(context, jobBody(computer.printerId, more));
  const job = await computer.waitForJob(jobId);
  if (!job) throw new CheckEnded('blocked', `job ${jobId} was not delivered to its connected computer`);
  return job;
}

/** The id of a job that a connected computer has got. */
export async function deliveredJob(context: CheckContext, computer: ConnectedComputer): Promise<number> {
  return (await deliver(context, computer)).jobId;
}

/** Expects a field as it was sent. */
export function expectDelivered(
  job: DeliveredJob,
  field: keyof DeliveredJob,
  wanted: unknown,
): Mismatch | undefined {
  return expectEqual(`${field} of the job that the client got`, job[field], wanted);
}

/** Content that goes with a content type. */
export function contentOf(type: string): unknown {
  return type.endsWith('_uri') ? 'https://documents.example/a.pdf?x=1' : jobBody(1)['content'];
}
