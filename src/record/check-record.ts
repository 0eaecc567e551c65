/**
 * The record of a run of checks: run.json of the kind `check`. It explains itself: reading it takes neither the
 * target nor the specification. It contains no secret.
 */

import { z } from 'zod';

import { LEVELS } from '../specification/clause.ts';
import { checkExitCode, count, countsOf, durationMs, heading, mismatch, texts, type Stored } from './fields.ts';
import { CLAUSE_OUTCOMES, CLAUSE_STATUSES, ENDING_KINDS, PROFILES, VERDICTS } from './words.ts';

const level = z.enum(LEVELS);
const headers = z.array(z.tuple([z.string(), z.string()])).describe('Name and value, as received.');
const request = z.object({ method: z.string(), path: z.string(), headers, body: z.string() });
const curl = z.string().describe('A shell command that sends the request again.');

const atMs = z.number().describe('Milliseconds after the check began, in real time.');

const exchange = z.object({
  position: count.describe('Position in the history of the run; a mismatch names it.'),
  sender: z.string().exactOptional().describe('The check that sent it, where that was another one.'),
  atMs: atMs.exactOptional(),
  request,
  waitedMs: z.number().describe('Time the check had let go by until then, on the clock of the target.'),
  response: z.object({ status: z.int(), headers, body: z.string() }),
  durationMs,
  curl,
});

const unanswered = z.object({
  kind: z.string().describe('refused, reset, timeout and so on.'),
  message: z.string(),
  request,
  durationMs,
  curl,
});

const frame = z.object({
  atMs,
  computer: z.string().describe('Name of the computer.'),
  from: z.enum(['computer', 'service']),
  text: z.string().describe('A message of the link; in parentheses what else happened to the connection.'),
});

const delivery = z.object({
  atMs,
  method: z.string(),
  path: z.string(),
  headers,
  body: z.string(),
  reply: z.string().describe('How the receiver answered.'),
});

const judgement = z.object({
  clause: z.string().describe('Id of a clause or of a gap.'),
  mismatch: mismatch.exactOptional().describe('Left out when the clause was kept.'),
  observation: z.string().exactOptional().describe('What the service did where the specification leaves it open.'),
  countedIn: z
    .string()
    .exactOptional()
    .describe('Id of the deviation that was met in place of what it judges: it says nothing of its clause.'),
  atMs: atMs.exactOptional(),
});

const evidence = z.object({
  judgements: z.array(judgement),
  exchanges: z.array(exchange).describe('Those that show what was wrong, and the last ones; none on a pass.'),
  unanswered: z.array(unanswered).describe('Requests without a whole answer.'),
  frames: z.array(frame).exactOptional().describe('What went over the links of its computers; left out on a pass.'),
  deliveries: z.array(delivery).exactOptional().describe('What its webhooks were sent; left out on a pass.'),
  notes: texts,
  unseen: texts.exactOptional().describe('Clauses that a client program did not show, and that are not judged.'),
  stack: z.string().exactOptional(),
});

const check = z.object({
  id: z.string().min(1).describe('Stable: family/what-it-looks-at.'),
  title: z.string().describe('What a service that passes does.'),
  clauses: texts.describe('Ids of the clauses it judges, and of the gaps it observes.'),
  needs: texts.describe('What it needs of a target.'),
  level: level.describe('The strictest level among its clauses.'),
  verdict: z.enum(VERDICTS),
  durationMs,
  requests: count.describe('Requests that were answered.'),
  waitedMs: z.number().min(0).describe('Time it let go by, on the clock of the target.'),
  message: z.string().describe('Why it did not pass; empty when it did.'),
  endedBy: z
    .object({
      kind: z.enum(ENDING_KINDS),
      name: z.string().exactOptional().describe('The check, part of the API or deviation that it names.'),
    })
    .exactOptional()
    .describe('What ended it, or kept it from beginning, beside what it judged.'),
  unmet: mismatch.exactOptional().describe('What it builds on and does not judge, where that was not as it should be.'),
  signature: z.string().exactOptional().describe('Of a failure: what a list of known failures names it by.'),
  followsFrom: z
    .string()
    .exactOptional()
    .describe(
      'Id of the check that reports the same defect, or of two that are flaky, that failed in the same stall: this one follows from it.',
    ),
  known: z
    .object({ reason: z.string(), owner: z.string(), expires: z.string() })
    .exactOptional()
    .describe('Why the failure does not count.'),
  evidence,
});

const clause = z.object({
  level,
  statement: z.string(),
  source: z.string().exactOptional().describe('Where it stands in the specification: heading › row, rule or bullet.'),
  status: z.enum(CLAUSE_STATUSES),
  outcome: z.enum(CLAUSE_OUTCOMES),
  checks: texts.describe('Ids of all checks of it, run or not.'),
  reason: z.string().exactOptional().describe('Why it is excluded.'),
  since: z
    .string()
    .exactOptional()
    .describe('Id of the clause whose breach is all that was found of it: the reason why it is not judged.'),
});

const gap = z.object({
  question: z.string(),
  checks: texts.describe('Ids of all checks that look at it, run or not.'),
  observations: texts.describe('What the target did, each different thing once.'),
});

const deviation = z.object({
  id: z.string(),
  clauses: texts.describe('Ids of the clauses that print it, the one that says it best first.'),
  at: z.string().describe('Where it was met first: `status of POST /printjobs`.'),
  expected: z.string(),
  actual: z.string(),
  exchange: exchange.exactOptional().describe('The first one that shows it.'),
  checks: texts.describe('Ids of the checks that met it.'),
  likewise: z
    .array(z.object({ at: z.string(), clause: z.string() }))
    .exactOptional()
    .describe('Where else it does the same, and the clause that prints it there.'),
});

const dialectLine = z.object({
  question: z.string(),
  gap: z.string().describe('Id of the gap that it is part of.'),
  source: z.enum(['asked', 'given', 'not-found-out']).describe('`given` in the target descriptor.'),
  words: z.string().describe('The answer as a sentence, or why it is not known.'),
  answer: z.unknown().describe('As a descriptor gives it; null where it is not known.'),
});

const givenRecord = z
  .object({
    descriptor: z.string().exactOptional().describe('Whole path of the descriptor.'),
    url: z.string().exactOptional().describe('The address that was given beside the descriptor.'),
    start: z.string().exactOptional().describe('The command that started the service.'),
    image: z.string().exactOptional().describe('The image that was given beside it.'),
    link: z.string().exactOptional().describe('The link that was given beside it.'),
    imagePort: count.exactOptional(),
    callbackHost: z.string().exactOptional(),
    allowWrites: z.literal(true).exactOptional(),
    keys: z.array(z.enum(['second', 'integrator'])).describe('Which keys were given beside the first.'),
  })
  .describe('What the command line said of it, for a repetition.');

const selection = z.object({
  profile: z.enum(PROFILES),
  grep: z.string().nullable().describe('The pattern the checks were chosen by.'),
  planned: count.describe('Checks that are meant, those of other shards included.'),
  shards: z
    .object({ held: z.array(z.int().min(1)).min(1), of: z.int().min(1).max(999_999) })
    .nullable()
    .describe('Parts of the plan that this record holds, from 1; null when it was not divided.'),
});

const summary = z.object({
  checks: countsOf(VERDICTS).describe('Number of checks by verdict; verdicts that did not occur are left out.'),
  clauses: z.object({
    total: count,
    covered: count,
    excluded: count,
    notYet: count,
    broken: count.describe('Of those covered, at any level.'),
    notJudged: count.describe('Of those covered.'),
    notOffered: count.exactOptional().describe('Of those covered, about what the service does not have.'),
  }),
  baselineProblems: texts.describe('What is wrong with the list of known failures.'),
  known: count.describe('Failures that are known and do not count.'),
  leftBehind: texts.describe('What could not be removed after the run.'),
  requests: count,
  lack: z.string().exactOptional().describe('Why checks ran in one lane, which takes several times as long.'),
  slowedTo: z.number().exactOptional().describe('Requests a second, where the service took fewer than it was sent.'),
  lostIn: z
    .string()
    .exactOptional()
    .describe('The check during which the target went away; what had not ended by then was not judged.'),
  exitCode: checkExitCode,
});

const notOffered = z.object({ name: z.string(), isDeclared: z.boolean() });

export const checkRunRecord = z.object({
  ...heading,
  kind: z.literal('check'),
  seed: z.number(),
  strict: z.literal(true).exactOptional().describe('A broken `should` failed it.'),
  target: z.object({
    name: z.string(),
    /** `embedded`, `remote` or another kind of target. */
    kind: z.string(),
    baseUrl: z.string(),
    link: z
      .string()
      .exactOptional()
      .describe('How virtual computers reached it, as --link has it; left out without one.'),
    given: givenRecord.exactOptional(),
    capabilities: texts,
    notOffered: z
      .array(notOffered)
      .exactOptional()
      .describe(
        'Parts of the API that it does not have, by the names that a descriptor has for them; left out where it has all.',
      ),
    contradictions: texts.describe('Where the target differs from its declaration.'),
  }),
  selection: selection.describe('Which checks were meant.'),
  summary,
  clauses: z.record(z.string(), clause).describe('Every clause of the specification, by id.'),
  linkClauses: z
    .record(z.string(), clause)
    .exactOptional()
    .describe('Every rule of the device link, by id; left out where the service is not declared to speak it.'),
  gaps: z.record(z.string(), gap).describe('Every gap of the specification, by id.'),
  dialect: z
    .array(dialectLine)
    .exactOptional()
    .describe('How the target answers what the specification leaves open, as far as checks wanted to know.'),
  deviations: z
    .array(deviation)
    .exactOptional()
    .describe('What the service does otherwise than printed wherever it does it; checks read it as printed.'),
  checks: z.array(check),
});

export interface CheckRunRecord extends Stored<typeof checkRunRecord> {}
export interface CheckRecord extends Stored<typeof check> {}
export interface ClauseRecord extends Stored<typeof clause> {}
export interface GapRecord extends Stored<typeof gap> {}
export interface DialectRecord extends Stored<typeof dialectLine> {}
export interface DeviationRecord extends Stored<typeof deviation> {}
export interface GivenRecord extends Stored<typeof givenRecord> {}
export interface NotOfferedRecord extends Stored<typeof notOffered> {}
/** Which checks were meant. */
export interface SelectionRecord extends Stored<typeof selection> {}
export interface CheckSummary extends Stored<typeof summary> {}
/** What was found out about one clause; without a mismatch it was kept. */
export interface JudgementRecord extends Stored<typeof judgement> {}
export interface ExchangeRecord extends Stored<typeof exchange> {}
export interface EvidenceRecord extends Stored<typeof evidence> {}
export interface FrameRecord extends Stored<typeof frame> {}
export interface DeliveryRecord extends Stored<typeof delivery> {}
export interface UnansweredRecord extends Stored<typeof unanswered> {}
export interface RequestRecord extends Stored<typeof request> {}
