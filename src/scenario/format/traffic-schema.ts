/**
 * Traffic: the part of the format that makes a scenario a load test, and what it may contain.
 */

import { z } from 'zod';

import { parseDuration } from '../../common/duration.ts';
import { BEHAVIOUR_NAMES, RECEIVER_ANSWERS, WORKER_LOST } from '../../load/plan/load-scenario.ts';
import { OPERATION_NAMES } from '../../load/plan/operation-names.ts';
import { CHAOS_EVENTS } from '../../record/words.ts';
import { documentName, duration } from '../vocabulary/schema-types.ts';

/** A duration in milliseconds, written as `45s`. */
const milliseconds = duration.transform((text) => parseDuration(text) ?? 0);
const rate = z.number().min(0).max(100_000).describe('Arrivals a second.');

const size = z
  .string()
  .regex(/^\d+(\.\d+)?(B|KB|MB)$/, 'must be a size such as 800B, 40KB or 2MB')
  .transform(bytesOf);

const range = z
  .union([z.number().int().min(1).max(999), z.tuple([z.number().int().min(1), z.number().int().max(999)])])
  .transform((given): readonly [number, number] => (typeof given === 'number' ? [given, given] : given))
  .refine(([least, most]) => least <= most, 'must go from the smaller to the larger number');

const document = z.strictObject({
  file: documentName.exactOptional(),
  pages: z
    .number()
    .int()
    .min(1)
    .max(5_000)
    .exactOptional()
    .describe('A PDF made for the run, of so many pages.'),
  size: size.exactOptional().describe('How large the made document is at least: 40KB.'),
  language: z
    .enum(['pdf', 'raw'])
    .exactOptional()
    .describe("A PDF, or a printer's own language; by the name of the file unless given."),
  via: z
    .enum(['base64', 'uri'])
    .default('base64')
    .describe('Whether it travels in the submission, or computers fetch it from a host of the load.'),
});

const submission = {
  document: z.string().min(1).exactOptional().describe('Of a submission: one of the documents.'),
  copies: range.exactOptional().describe('The option `copies`: a number, or [fewest, most].'),
  qty: range
    .exactOptional()
    .describe('How often it is to be delivered to the print queue: a number, or [fewest, most].'),
  expireAfter: z
    .number()
    .int()
    .min(1)
    .exactOptional()
    .describe('Seconds; the default of the service unless given.'),
};

const operationName = z.enum(OPERATION_NAMES);

const pacer = z.strictObject({
  constant: z.strictObject({ rate }).exactOptional().describe('The same rate all the time.'),
  ramp: z.strictObject({ from: rate, to: rate }).exactOptional().describe('From one rate evenly to another.'),
  step: z
    .strictObject({
      levels: z
        .array(z.strictObject({ rate, for: milliseconds }))
        .min(1)
        .max(100),
    })
    .exactOptional()
    .describe('One level after the other; the last one lasts.'),
  spike: z
    .strictObject({ base: rate, peak: rate, at: milliseconds, for: milliseconds })
    .exactOptional()
    .describe('One burst over a base.'),
  sine: z
    .strictObject({ mean: rate, amplitude: rate, period: milliseconds })
    .exactOptional()
    .describe('Swings around a mean, as a day does.'),
  poisson: z.strictObject({ rate }).exactOptional().describe('Arrivals that know nothing of each other.'),
  trace: z
    .strictObject({
      file: z.string().startsWith('./').describe('A line for each arrival: milliseconds from the start.'),
    })
    .exactOptional()
    .describe('Arrivals as they were recorded somewhere.'),
});

const stream = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be a word of small letters, digits and dashes')
    .describe('What thresholds call it.'),
  do: operationName.exactOptional().describe('What each arrival does; or `mix`.'),
  mix: z
    .array(z.strictObject({ do: operationName, weight: z.number().positive(), ...submission }))
    .min(1)
    .max(50)
    .exactOptional()
    .describe('Several operations, drawn by their weights.'),
  ...submission,
  pacer: pacer.exactOptional().describe('When arrivals are due, whatever the service does; or `loops`.'),
  loops: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .exactOptional()
    .describe('So many callers, each of which asks again once it was answered.'),
  think: milliseconds.exactOptional().describe('How long a caller of `loops` waits before it asks again.'),
  for: milliseconds.describe('How long it goes on.'),
  start: milliseconds.exactOptional().describe('When it begins; at once unless given.'),
  accounts: z
    .tuple([z.number().int().min(1), z.number().int().min(1)])
    .exactOptional()
    .describe('The first and the last account it works for, from 1; all unless given.'),
});

const answer = {
  answers: z.enum(RECEIVER_ANSWERS).describe('How the receivers answer.'),
  delay: milliseconds.exactOptional().describe('How long a slow one takes.'),
};

const webhooks = z.strictObject({
  receiver: z
    .strictObject({
      ...answer,
      outage: z
        .strictObject({ at: milliseconds, for: milliseconds, ...answer })
        .exactOptional()
        .describe('A time in which they answer otherwise.'),
    })
    .describe('The receivers that the load runs, one for each account.'),
});

const caps = z.strictObject({
  requests: z.number().int().min(1).exactOptional().describe('No run sends more than these.'),
  connections: z.number().int().min(1).exactOptional().describe('At the same time, for requests.'),
  inFlight: z
    .number()
    .int()
    .min(1)
    .exactOptional()
    .describe('Under way at the same time; arrivals beyond are shed, and counted.'),
});

export const trafficSchema = z
  .strictObject({
    accounts: z
      .number()
      .int()
      .min(1)
      .max(5_000)
      .default(1)
      .describe('How many accounts bear it: 1 is that of the key, more are Child Accounts made for the run.'),
    sources: z
      .union([
        z.number().int().min(1).max(200),
        z
          .array(z.union([z.ipv4(), z.ipv6()]))
          .min(1)
          .max(200),
      ])
      .exactOptional()
      .describe(
        'Source addresses: how many of 127.0.0.x, or a list; the one the system chooses unless given.',
      ),
    webhooks: webhooks.exactOptional(),
    documents: z.record(z.string().min(1).max(100), document).default({}).describe('By name.'),
    streams: z.array(stream).min(1).max(100).describe('What is sent, and when.'),
    timeout: milliseconds.exactOptional().describe('How long a request may take; 10s unless given.'),
    drain: milliseconds
      .exactOptional()
      .describe('How long jobs may take after the last arrival; 30s unless given.'),
    caps: caps.exactOptional(),
  })
  .describe('What makes it a load test: who sends what, and when.');

export type Traffic = z.output<typeof trafficSchema>;
export type TrafficStream = z.output<typeof stream>;
export type TrafficDocument = z.output<typeof document>;
export type TrafficPacer = z.output<typeof pacer>;

export const disastersSchema = z
  .array(
    z.strictObject({
      at: milliseconds.describe('When, from the start of the traffic.'),
      what: z
        .enum([...CHAOS_EVENTS, WORKER_LOST])
        .describe(
          '`worker-lost` only declares that machines of a run on several may go: see distributed.md.',
        ),
      share: z.number().min(0).max(1).exactOptional().describe('Of the computers; all unless given.'),
      workers: z
        .int()
        .min(1)
        .max(10_000)
        .exactOptional()
        .describe('Of `worker-lost`: how many may go; 1 unless given.'),
      for: milliseconds.exactOptional().describe('How long they stay away; no time unless given.'),
      within: milliseconds
        .exactOptional()
        .describe(
          'The time over which they go or come back; at once unless given. Of `worker-lost`: until when they may go; the end unless given.',
        ),
    }),
  )
  .max(100)
  .describe('What befalls the room while the traffic goes on.');

export const behaviourName = z
  .enum(BEHAVIOUR_NAMES)
  .describe('What the people around it do to its devices while traffic goes on.');

const UNITS: Readonly<Record<string, number>> = { B: 1, KB: 1_000, MB: 1_000_000 };

function bytesOf(text: string): number {
  const [, number = '0', unit = 'B'] = /^([\d.]+)([A-Z]+)$/.exec(text) ?? [];
  return Math.round(Number(number) * (UNITS[unit] ?? 1));
}
