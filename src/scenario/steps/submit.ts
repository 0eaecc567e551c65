/**
 * submit: the caller submits a print job, or several of a kind at once.
 */

import { z } from 'zod';

import { showValue } from '../../common/json-value.ts';
import { keysOf } from '../../common/keys-of.ts';
import { misspeltName } from '../../common/nearest-name.ts';
import { REQUEST_HEADERS } from '../../specification/headers.ts';
import { submittedJob } from '../../link/submitted-job.ts';
import { DOCUMENT_AUTHENTICATION_INPUT, PRINT_OPTIONS } from '../../specification/inputs.ts';
import { gap, isPatientFor, type AnsweredStatus } from '../vocabulary/answers.ts';
import { isPdfName, readDocument } from '../vocabulary/documents.ts';
import { gives, uses } from '../vocabulary/names.ts';
import {
  countRange,
  documentName,
  exactly,
  formatRange,
  isWithin,
  name,
  numberOf,
  object,
} from '../vocabulary/schema-types.ts';
import { filledIn } from '../setup/placeholders.ts';
import type { Setup, SubmittedJob } from '../setup/setup.ts';
import { KEPT, outcomeOf, type StepOutcome } from '../vocabulary/outcome.ts';
import { stepKind } from './step.ts';

const CREATED = 201;

const credentials = z.strictObject({
  type: z.enum(DOCUMENT_AUTHENTICATION_INPUT.type.values),
  user: z.string(),
  pass: z.string(),
});

const OPTION_NAMES = keysOf(PRINT_OPTIONS);

/** A service may have more options, but none that is one of these misspelt. */
const printOptions = object
  .superRefine((given, context) => {
    const keys = Object.keys(given).filter((key) => misspeltName(key, OPTION_NAMES) !== undefined);
    if (keys.length > 0) context.addIssue({ code: 'unrecognized_keys', keys, input: given });
  })
  .meta({ properties: Object.fromEntries(OPTION_NAMES.map((option) => [option, {}])) });

const args = z
  .strictObject({
    as: name.describe('The name of the job for later steps and expectations; also its title by default.'),
    printer: name.describe('The printer.'),
    document: documentName.exactOptional(),
    uri: z
      .string()
      .min(1)
      .exactOptional()
      .describe('Where the client gets the document: a path on the document host of the step `serve`, or an address.'),
    content: z.string().exactOptional().describe('The document itself, as a string.'),
    base64: z.string().exactOptional().describe('The document itself, in base64, sent unchanged.'),
    kind: z
      .enum(['pdf', 'raw'])
      .exactOptional()
      .describe('How it is sent: by default as pdf if it is a uri or its name ends in .pdf, else as raw.'),
    options: printOptions
      .nullable()
      .exactOptional()
      .describe('Print options of the specification, or others that a service has.'),
    qty: z.number().int().exactOptional().describe('How many times it is sent to the print queue.'),
    expireAfter: numberOf('seconds', 3600).int().exactOptional().describe('Seconds that the service keeps it.'),
    title: z.string().exactOptional(),
    source: z.string().exactOptional(),
    authentication: credentials.exactOptional().describe('Credentials for the document host.'),
    idempotencyKey: z
      .string()
      .exactOptional()
      .describe('Sent as X-Idempotency-Key; {run} in it becomes letters that no other play has.'),
    times: z
      .number()
      .int()
      .min(1)
      .max(2_000)
      .exactOptional()
      .describe('Number of such jobs to submit at the same time.'),
    answers: z
      .union([z.number().int(), z.enum(['none', 'any']), z.record(z.string().regex(/^([1-5]\d\d|none)$/), countRange)])
      .default(CREATED)
      .describe(
        'The status of the answer, `none` for no answer, `any` for whatever comes; for several jobs, how many of each.',
      ),
    gap,
  })
  .refine((job) => ['document', 'uri', 'content', 'base64'].filter((key) => key in job).length === 1, {
    message: 'needs exactly one of document, uri, content and base64',
  });

type SubmitArgs = z.output<typeof args>;

export const submit = stepKind<SubmitArgs>({
  about: 'The caller submits a print job, or several of a kind at once.',
  args,
  summary: ({ as, printer, times }) => `submit ${times === undefined ? '' : `${times} × `}${as} to ${printer}`,
  names: (job) => [
    ...uses('printer', job.printer, 'printer'),
    ...(isAcceptedBy(job) ? gives('job', job.as, 'as') : []),
  ],
  run: submitAll,
});

/** `none`: there was no answer. */
interface SubmitAnswer {
  readonly status: number | 'none';
  readonly value: unknown;
}

async function submitAll(job: SubmitArgs, setup: Setup): Promise<StepOutcome> {
  const { json, content } = await submissionOf(job, setup);
  const headers =
    job.idempotencyKey === undefined
      ? {}
      : { [REQUEST_HEADERS.idempotencyKey.name]: await filledIn(job.idempotencyKey, setup) };
  const isPatient = expectedStatuses(job).every((status) => isPatientFor(status, setup));
  const send = async (): Promise<SubmitAnswer> => {
    const outcome = await setup.api.trySend({ method: 'POST', path: '/printjobs', headers, json, isPatient });
    return outcome.ok ? outcome.value : { status: 'none', value: outcome.error };
  };
  const answers = await Promise.all(Array.from({ length: job.times ?? 1 }, send));
  const accepted = answers.flatMap(({ status, value }): SubmittedJob[] =>
    status === CREATED && typeof value === 'number' ? [{ name: job.as, id: value, printer: job.printer, content }] : [],
  );
  // Where a client program prints it, it is known on paper by what was submitted.
  for (const { id } of accepted) setup.target.link?.program?.submitted(submittedJob(id, json));
  const inOrder = accepted.toSorted((a, b) => a.id - b.id);
  if (inOrder.length > 0) setup.jobs.set(job.as, inOrder);
  setup.note(`${job.as}: ${inWords(answers)}`);
  return judge(job, answers);
}

/** The body of the request, as a caller sends it. */
interface Submission {
  readonly json: Readonly<Record<string, unknown>>;
  /** The bytes of the document; undefined where the client gets them itself. */
  readonly content: Uint8Array | undefined;
}

async function submissionOf(job: SubmitArgs, setup: Setup): Promise<Submission> {
  const { authentication, options, qty, expireAfter, source } = job;
  const content = contentOf(job, setup);
  const given = { options, qty, expireAfter, source };
  const json = {
    printerId: await setup.printerId(job.printer),
    title: job.title ?? job.as,
    contentType: `${kindOf(job)}_${content ? 'base64' : 'uri'}`,
    content: content?.base64 ?? (await addressOf(job.uri ?? '', setup)),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...(authentication && {
      authentication: {
        type: authentication.type,
        credentials: { user: authentication.user, pass: authentication.pass },
      },
    }),
  };
  return { json, content: content?.bytes };
}

interface Content {
  readonly bytes: Uint8Array;
  /** As sent: a caller may write base64 in its own way. */
  readonly base64: string;
}

function contentOf({ document, content, base64 }: SubmitArgs, { files }: Setup): Content | undefined {
  if (base64 !== undefined) return { bytes: Buffer.from(base64, 'base64'), base64 };
  if (document !== undefined) return encoded(readDocument(document, files.documents));
  return content === undefined ? undefined : encoded(Buffer.from(content));
}

function encoded(bytes: Uint8Array): Content {
  return { bytes, base64: Buffer.from(bytes).toString('base64') };
}

function kindOf({ kind, document, uri }: SubmitArgs): 'pdf' | 'raw' {
  if (kind !== undefined) return kind;
  return uri !== undefined || (document !== undefined && isPdfName(document)) ? 'pdf' : 'raw';
}

async function addressOf(uri: string, { sinks }: Setup): Promise<string> {
  return uri.startsWith('/') ? (await sinks.documents()).url + uri : uri;
}

function judge(
  { as, answers: wanted, times = 1, gap: open }: SubmitArgs,
  answers: readonly SubmitAnswer[],
): StepOutcome {
  if (wanted === 'any') return KEPT;
  const expected = typeof wanted !== 'object' ? { [wanted]: exactly(times) } : wanted;
  const seen = statusCounts(answers);
  const statuses = [...new Set([...Object.keys(expected), ...Object.keys(seen)])];
  if (statuses.every((status) => isWithin(seen[status] ?? 0, expected[status] ?? NONE))) return KEPT;
  const words = Object.entries(expected).map(([status, range]) => `${formatRange(range)} × ${status}`);
  const at = `answer to the submission of ${as}`;
  return outcomeOf([{ at, expected: words.join(', '), actual: inWords(answers), jobs: [], gap: open }]);
}

const NONE = exactly(0);

function statusCounts(answers: readonly SubmitAnswer[]): Readonly<Record<string, number>> {
  const groups = Map.groupBy(answers, ({ status }) => String(status));
  return Object.fromEntries([...groups].map(([status, group]) => [status, group.length]));
}

function inWords(answers: readonly SubmitAnswer[]): string {
  const [only] = answers;
  if (only && answers.length === 1) return `${only.status} ${showValue(only.value)}`;
  const counts = Object.entries(statusCounts(answers));
  return counts.map(([status, number]) => `${number} × ${status}`).join(', ');
}

function expectedStatuses({ answers }: SubmitArgs): readonly AnsweredStatus[] {
  if (answers === 'any' || typeof answers === 'number') return [answers];
  return answers === 'none' ? [] : Object.keys(answers).map(Number);
}

function isAcceptedBy({ answers }: SubmitArgs): boolean {
  if (answers === 'any') return true;
  return typeof answers !== 'object' ? answers === CREATED : (answers[CREATED]?.most ?? 0) > 0;
}
