/**
 * Print jobs of a check: bodies to submit, submitting where that is not what the check is about, what
 * arrives at the client, and reading histories of states.
 */

import { isObject, type JsonObject, showValue } from '../../common/json-value.ts';
import { datetimeMs } from '../../common/timestamp.ts';
import type { HeaderPair } from '../../common/header-pairs.ts';
import { REQUEST_HEADERS } from '../../specification/headers.ts';
import { isId } from '../expect/records.ts';
import { expectBody, expectFound, expectStatus, type Answer } from '../expect/answer.ts';
import type { CheckContext } from './context.ts';
import type { DeliveredJob } from '../../link/device-link.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import { expectEqual } from '../expect/that.ts';
import { CheckEnded } from './check-ended.ts';
import type { ConnectedComputer } from './computers.ts';

/** A whole PDF of one empty A4 page. */
export const BLANK_PDF = buildBlankPdf();

function buildBlankPdf(): string {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<<>>>>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj${object}endobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  return `${text}${table}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`;
}

const PLAIN_TITLE = 'A job of a check';

/** The body of an ordinary job. */
export function jobBody(printerId: number, more: JsonObject = {}): JsonObject {
  return {
    printerId,
    contentType: 'pdf_base64',
    content: Buffer.from(BLANK_PDF).toString('base64'),
    title: PLAIN_TITLE,
    source: 'platen',
    ...more,
  };
}

/** A key that nothing else is sent with, shorter than a UUID: how long one may be is a gap (gap/idempotency-length). */
export function newIdempotencyKey({ random }: Pick<CheckContext, 'random'>): string {
  return `key-${random.hex(24)}`;
}

/** The header that makes a submission idempotent. */
export function idempotencyKey(key: string): readonly HeaderPair[] {
  return [[REQUEST_HEADERS.idempotencyKey.name, key]];
}

/** Submits a job that the check builds on, and returns its id. Ends the check as blocked if it is refused. */
export async function submit(
  context: CheckContext,
  body: JsonObject,
  headers: readonly HeaderPair[] = [],
): Promise<number> {
  const isPlain = body['title'] === PLAIN_TITLE;
  // On paper it is known by its title.
  const json = isPlain ? { ...body, title: context.uniqueText('job') } : body;
  const answer = await context.api.post('/printjobs', json, headers);
  context.require(expectStatus(answer, 201) ?? expectBody(answer, 'the id of the job', isId));
  return Number(answer.value);
}

/** Submits several ordinary jobs, one after the other; their ids in that order. */
export async function submitMany(context: CheckContext, printerId: number, count: number): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count) ids.push(await submit(context, jobBody(printerId)));
  return ids;
}

/** Where the target does not say how long a check may wait. */
const WAITS_MS = 60_000;

/**
 * Submits jobs that expire after this many seconds. Where that is refused for being too short, once more with the least
 * that the target takes, which `submitAll` gets. Ends the check where that is too long to wait for.
 */
export async function submitExpiring<Submitted>(
  context: CheckContext,
  seconds: number,
  submitAll: (seconds: number) => Promise<Submitted>,
): Promise<Submitted> {
  try {
    return await submitAll(seconds);
  } catch (error) {
    if (!(error instanceof CheckEnded) || error.verdict !== 'blocked') throw error;
    const least = await leastExpiry(context);
    if (least === undefined || least <= seconds) throw error;
    ensureNotLong(context, least);
    return submitAll(least);
  }
}

/** Undefined where there is no telling: then what was refused was so for another reason. */
async function leastExpiry({ speak }: CheckContext): Promise<number | undefined> {
  try {
    return await speak('least-expire-after');
  } catch (error) {
    if (error instanceof CheckEnded) return undefined;
    throw error;
  }
}

function ensureNotLong({ target: { timekeeper, waitsMs } }: CheckContext, least: number): void {
  if (timekeeper.isVirtual || least * 1_000 <= (waitsMs ?? WAITS_MS)) return;
  const verdict = waitsMs === undefined ? 'inconclusive' : 'too-long';
  throw new CheckEnded(verdict, `takes longer than a run can wait: the least expireAfter of the target is ${least} s`);
}

/** A print job state as it was shown, with its time and age read where that is possible. */
export interface ShownState {
  readonly object: JsonObject;
  readonly name: unknown;
  readonly createdMs: number | undefined;
}

/** When a state was created. Ends the check as untestable when its time cannot be read: it is printed as a string. */
export function createdMsOf({ createdMs, object, name }: ShownState): number {
  if (createdMs !== undefined) return createdMs;
  const shown = showValue(object['createTimestamp']);
  throw new CheckEnded('untestable', `createTimestamp of the state ${String(name)} cannot be read as a time: ${shown}`);
}

/**
 * The states in an answer, by job, each history oldest first. The specification does not show how the
 * objects are arranged: lists of histories, flat lists and histories by id are read. Undefined for anything else.
 */
export function readHistories({ value }: Answer): ReadonlyMap<number, readonly ShownState[]> | undefined {
  if (!Array.isArray(value) && !isObject(value)) return undefined;
  const histories = new Map<number, ShownState[]>();
  for (const object of Object.values(value).flat() as unknown[]) {
    if (!isObject(object) || !isId(object['printJobId'])) return undefined;
    const shown = { object, name: object['state'], createdMs: datetimeMs(object['createTimestamp']) };
    const history = histories.get(object['printJobId']);
    if (history) history.push(shown);
    else histories.set(object['printJobId'], [shown]);
  }
  for (const history of histories.values()) {
    history.sort((left, right) => (left.createdMs ?? 0) - (right.createdMs ?? 0));
  }
  return histories;
}

/** The history of one job. Ends the check as blocked when the answer cannot be read. */
export async function historyOf(context: CheckContext, jobId: number): Promise<readonly ShownState[]> {
  const answer = await context.api.get(`/printjobs/${jobId}/states`);
  const history = readHistories(answer)?.get(jobId);
  context.require(expectFound(answer, `states of job ${jobId}`, () => history !== undefined));
  return history ?? [];
}

/** The names of the states of a job, oldest first. */
export async function stateNames(context: CheckContext, jobId: number): Promise<readonly unknown[]> {
  return (await historyOf(context, jobId)).map(({ name }) => name);
}

/** As stateNames, of a job that may be gone: without any then. */
export async function namesIfShown({ api }: CheckContext, jobId: number): Promise<readonly unknown[]> {
  const histories = readHistories(await api.get(`/printjobs/${jobId}/states`));
  return (histories?.get(jobId) ?? []).map(({ name }) => name);
}

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
export function expectDelivered(job: DeliveredJob, field: keyof DeliveredJob, wanted: unknown): Mismatch | undefined {
  return expectEqual(`${field} of the job that the client got`, job[field], wanted);
}

/** Content that goes with a content type. */
export function contentOf(type: string): unknown {
  return type.endsWith('_uri') ? 'https://documents.example/a%20b.pdf?x=1%2B1' : jobBody(1)['content'];
}
