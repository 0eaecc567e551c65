/**
 * request: any request that a caller may send, valid or not, and what the answer must be.
 */

import { z } from 'zod';

import { valueAt } from '../../common/places.ts';
import { showValue } from '../../common/json-value.ts';
import type { ServiceAnswer } from '../../targets/service-client.ts';
import { answeredStatus, gap, isAnswered, isPatientFor } from '../vocabulary/answers.ts';
import { gives } from '../vocabulary/names.ts';
import { missingPart } from '../vocabulary/partial-match.ts';
import { filledIn, filledInJson, namesIn } from '../setup/placeholders.ts';
import { count, name } from '../vocabulary/schema-types.ts';
import type { Setup } from '../setup/setup.ts';
import { outcomeOf, type Break, type StepOutcome } from '../vocabulary/outcome.ts';
import { stepKind } from './step.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const args = z.strictObject({
  method: z.enum(METHODS).default('GET'),
  path: z
    .string()
    .startsWith('/')
    .describe('Path and query. {job:NAME} and the like become ids, {run} letters that no other play has.'),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.unknown().exactOptional().describe('Sent as JSON; no body without it.'),
  key: z
    .string()
    .exactOptional()
    .describe(
      'API key instead of that of the scenario: {value:NAME} for one that was saved, {second} for that of an unrelated account.',
    ),
  answers: answeredStatus.default('success'),
  gap,
  code: z.string().exactOptional().describe('The `code` of an error.'),
  length: count.exactOptional().describe('Number of elements of the list in the answer.'),
  holds: z.unknown().exactOptional().describe('What the answer contains; it may contain more, but not in lists.'),
  save: z
    .strictObject({ as: name, from: z.string().exactOptional() })
    .exactOptional()
    .describe('Keeps the answer, or a part of it (`Account.id`), for {value:NAME}.'),
  times: z
    .number()
    .int()
    .min(1)
    .max(2_000)
    .default(1)
    .describe('How often to send it, one after the other; the last answer is judged.'),
});

type RequestArgs = z.output<typeof args>;

export const request = stepKind<RequestArgs>({
  about: 'The caller sends any request, and checks the answer.',
  args,
  summary: ({ method, path, times }) => `${times === 1 ? '' : `${times} × `}${method} ${path}`,
  names: ({ path, headers, key, body, holds, save }) => [
    ...namesIn(key, 'key'),
    ...namesIn(path, 'path'),
    ...namesIn(headers, 'headers'),
    ...namesIn(body, 'body'),
    ...namesIn(holds, 'holds'),
    ...gives('value', save?.as, 'save', 'as'),
  ],
  run: send,
});

async function send(given: RequestArgs, setup: Setup): Promise<StepOutcome> {
  const { method, path, headers, key, save } = await filledIn(given, setup);
  const [body, holds] = [await filledInJson(given.body, setup), await filledInJson(given.holds, setup)];
  const wire = { method, path, headers, json: body, apiKey: key, isPatient: isPatientFor(given.answers, setup) };
  let answer = await setup.api.send(wire);
  for (let sent = 1; sent < given.times; sent++) answer = await setup.api.send(wire);
  setup.note(`${method} ${path}: ${answer.status} ${showValue(answer.value)}`);
  if (save) setup.values.set(save.as, textAt(save.from, answer.value));
  const breaks = judge({ ...given, holds }, answer, `${method} ${path}`);
  return sharesAccount(given, answer, setup) ?? outcomeOf(breaks.map((one) => ({ ...one, gap: given.gap })));
}

/** A list is longer where the account had something before the scenario began. */
function sharesAccount({ path, length }: RequestArgs, { value }: ServiceAnswer, setup: Setup): StepOutcome | undefined {
  if (length === undefined || !Array.isArray(value) || value.length <= length) return undefined;
  if (setup.child !== undefined || setup.target.kind === 'embedded') return undefined;
  const reason = `${path} lists ${value.length}, and what the account had before may be among them: the key of an Integrator Account would give the scenario an account of its own`;
  return { kind: 'inconclusive', reason };
}

function judge({ answers, code, length, holds }: RequestArgs, { status, value }: ServiceAnswer, what: string): Break[] {
  const complaint = (at: string, expected: string, actual: string): Break => ({
    at: `${at} of ${what}`,
    expected,
    actual,
    jobs: [],
  });
  if (!isAnswered(answers, status)) return [complaint('status', String(answers), `${status} ${showValue(value)}`)];
  const breaks: Break[] = [];
  const answeredCode = valueAt(value, 'code');
  if (code !== undefined && answeredCode !== code) breaks.push(complaint('code', code, showValue(answeredCode)));
  const answeredLength = Array.isArray(value) ? value.length : undefined;
  if (length !== undefined && answeredLength !== length) {
    breaks.push(
      complaint('length', String(length), answeredLength === undefined ? 'not a list' : String(answeredLength)),
    );
  }
  const missing = holds === undefined ? undefined : missingPart(holds, value);
  if (missing) breaks.push(complaint(missing.at, showValue(missing.wanted), showValue(missing.actual)));
  return breaks;
}

/** The part at a path such as `Account.id`; the whole without one. */
function textAt(path: string | undefined, value: unknown): string {
  const part = valueAt(value, path ?? '.');
  return typeof part === 'string' ? part : showValue(part);
}
