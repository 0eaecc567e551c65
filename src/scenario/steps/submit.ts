/**
 * submit: the caller submits a print job, or several of a kind at the same time.
 */

import { z } from 'zod';

import { showValue } from '../../common/json-value.ts';
import { REQUEST_HEADERS } from '../../spec/headers.ts';
import { DOCUMENT_AUTHENTICATION_INPUT } from '../../spec/inputs.ts';
import { gives, uses } from '../vocabulary/names.ts';
import {
  countRange,
  documentName,
  exactly,
  formatRange,
  isWithin,
  name,
  object,
} from '../vocabulary/schema-types.ts';
import type { Setup, SubmittedJob } from '../setup/setup.ts';
import { broken, KEPT, type StepOutcome } from '../vocabulary/outcome.ts';
import { stepKind } from './step.ts';
import { submissionOf } from './submission.ts';

const CREATED = 201;

const credentials = z.strictObject({
  type: z.enum(DOCUMENT_AUTHENTICATION_INPUT.type.values),
  user: z.string(),
  pass: z.string(),
});

const args = z
  .strictObject({
    as: name.describe('What later steps and expectations call the job; its title unless that is given.'),
    printer: name.describe('The printer.'),
    document: documentName.exactOptional(),
    uri: z
      .string()
      .min(1)
      .exactOptional()
      .describe(
        'Where the client gets the document: a path on the document host of the step `serve`, or an address.',
      ),
    content: z.string().exactOptional().describe('The document itself, as text.'),
    base64: z.string().exactOptional().describe('The document itself, in base64, sent as it stands.'),
    kind: z
      .enum(['pdf', 'raw'])
      .exactOptional()
      .describe('How it is sent; pdf for a document whose name ends in .pdf and for a uri, raw for others.'),
    options: object.nullable().exactOptional().describe('Print options.'),
    qty: z.number().int().exactOptional().describe('Times it is handed to the print queue.'),
    expireAfter: z.number().int().exactOptional().describe('Seconds that the service keeps it.'),
    title: z.string().exactOptional(),
    source: z.string().exactOptional(),
    authentication: credentials.exactOptional().describe('What the client shows to the document host.'),
    idempotencyKey: z.string().exactOptional().describe('Sent as X-Idempotency-Key.'),
    times: z
      .number()
      .int()
      .min(1)
      .max(2_000)
      .exactOptional()
      .describe('So many jobs of the kind, all at once.'),
    answers: z
      .union([
        z.number().int(),
        z.literal('none'),
        z.record(z.string().regex(/^([1-5]\d\d|none)$/), countRange),
      ])
      .default(CREATED)
      .describe(
        'The status of the answer, `none` for no answer at all; or, for several jobs, how many of each.',
      ),
  })
  .refine((job) => ['document', 'uri', 'content', 'base64'].filter((key) => key in job).length === 1, {
    message: 'needs one of document, uri, content and base64',
  });

type SubmitArgs = z.output<typeof args>;

export const submit = stepKind<SubmitArgs>({
  about: 'The caller submits a print job, or several of a kind at once.',
  args,
  summary: ({ as, printer, times }) =>
    `submit ${times === undefined ? '' : `${times} × `}${as} to ${printer}`,
  names: (job) => [
    ...uses('printer', job.printer, 'printer'),
    ...(isAcceptedBy(job) ? gives('job', job.as, 'as') : []),
  ],
  run: submitAll,
});

/** `none` stands for an answer that did not come. */
interface SubmitAnswer {
  readonly status: number | 'none';
  readonly value: unknown;
}

async function submitAll(job: SubmitArgs, setup: Setup): Promise<StepOutcome> {
  const { json, content } = await submissionOf(job, setup);
  const headers =
    job.idempotencyKey === undefined ? {} : { [REQUEST_HEADERS.idempotencyKey.name]: job.idempotencyKey };
  const send = async (): Promise<SubmitAnswer> => {
    const outcome = await setup.api.trySend({ method: 'POST', path: '/printjobs', headers, json });
    return outcome.ok ? outcome.value : { status: 'none', value: outcome.error };
  };
  const submittedAtMs = setup.time.now();
  const answers = await Promise.all(Array.from({ length: job.times ?? 1 }, send));
  const accepted = answers.flatMap(({ status, value }): SubmittedJob[] =>
    status === CREATED && typeof value === 'number'
      ? [{ name: job.as, id: value, submittedAtMs, content }]
      : [],
  );
  if (accepted.length > 0)
    setup.jobs.set(
      job.as,
      accepted.toSorted((a, b) => a.id - b.id),
    );
  setup.note(`${job.as}: ${told(answers)}`);
  return judge(job, answers);
}

function judge(
  { as, answers: wanted, times = 1 }: SubmitArgs,
  answers: readonly SubmitAnswer[],
): StepOutcome {
  const expected = typeof wanted !== 'object' ? { [wanted]: exactly(times) } : wanted;
  const seen = statusCounts(answers);
  const statuses = [...new Set([...Object.keys(expected), ...Object.keys(seen)])];
  if (statuses.every((status) => isWithin(seen[status] ?? 0, expected[status] ?? NONE))) return KEPT;
  const words = Object.entries(expected).map(([status, range]) => `${formatRange(range)} × ${status}`);
  return broken(`answer to the submission of ${as}`, words.join(', '), told(answers));
}

const NONE = exactly(0);

function statusCounts(answers: readonly SubmitAnswer[]): Readonly<Record<string, number>> {
  const groups = Map.groupBy(answers, ({ status }) => String(status));
  return Object.fromEntries([...groups].map(([status, group]) => [status, group.length]));
}

function told(answers: readonly SubmitAnswer[]): string {
  const [only] = answers;
  if (only && answers.length === 1) return `${only.status} ${showValue(only.value)}`;
  const counts = Object.entries(statusCounts(answers));
  return counts.map(([status, number]) => `${number} × ${status}`).join(', ');
}

function isAcceptedBy({ answers }: SubmitArgs): boolean {
  return typeof answers !== 'object' ? answers === CREATED : (answers[CREATED]?.most ?? 0) > 0;
}
