/**
 * Traffic: the part of the format that makes a scenario a load test.
 */

import { z } from 'zod';

import { milliseconds } from '../../common/duration-schema.ts';
import { PACERS } from '../../load/pacers/pacers.ts';
import { BEHAVIOUR_NAMES, capsSchema, OPERATION_NAMES, webhooksSchema } from '../../load/plan/load-scenario.ts';
import { loopback } from '../../load/plan/source-addresses.ts';
import { anyOf, documentName, numberOf } from '../vocabulary/schema-types.ts';

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
    .describe('A PDF generated for the run, with this many pages.'),
  size: size.exactOptional().describe('How large the generated document is at least: 40KB.'),
  language: z
    .enum(['pdf', 'raw'])
    .exactOptional()
    .describe("A PDF, or a printer's own language; by the name of the file unless given."),
  via: z
    .enum(['base64', 'uri'])
    .default('base64')
    .describe('Whether submissions contain it, or computers fetch it from a host of the load.'),
});

const submission = {
  document: z.string().min(1).exactOptional().describe('For a submission: one of the documents.'),
  copies: range.exactOptional().describe('The option `copies`: a number, or [fewest, most].'),
  qty: range.exactOptional().describe('How often it is delivered to the print queue: a number, or [fewest, most].'),
  expireAfter: numberOf('seconds', 3600)
    .int()
    .min(1)
    .exactOptional()
    .describe('Seconds; the default of the service unless given.'),
};

const operationName = z.enum(OPERATION_NAMES);

const pacer = z.strictObject(anyOf(Object.fromEntries(Object.entries(PACERS).map(([kind, { keys }]) => [kind, keys]))));

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
    .describe('How many callers, each of which sends its next request once it has an answer.'),
  think: milliseconds.exactOptional().describe('How long a caller of `loops` waits before its next request.'),
  for: milliseconds.describe('How long it goes on.'),
  start: milliseconds.exactOptional().describe('When it begins; at once by default.'),
  accounts: z
    .tuple([z.number().int().min(1), z.number().int().min(1)])
    .exactOptional()
    .describe('The first and the last account that it sends for, from 1; all by default.'),
});

export const trafficSchema = z
  .strictObject({
    accounts: z
      .number()
      .int()
      .min(1)
      .max(5_000)
      .default(1)
      .describe('How many accounts send it: 1 is that of the key, more are Child Accounts made for the run.'),
    sources: z
      .union([
        z.number().int().min(1).max(200),
        z
          .array(z.union([z.ipv4(), z.ipv6()]))
          .min(1)
          .max(200),
      ])
      .transform((given) => (typeof given === 'number' ? loopback(given) : given))
      .exactOptional()
      .describe('Source addresses: how many of 127.0.0.x, or a list; by default the one that the system chooses.'),
    webhooks: webhooksSchema.exactOptional(),
    documents: z.record(z.string().min(1).max(100), document).default({}).describe('By name.'),
    streams: z.array(stream).min(1).max(100).describe('What is sent, and when.'),
    timeout: milliseconds.exactOptional().describe('How long a request may take; 10s by default.'),
    warmUp: milliseconds
      .exactOptional()
      .describe('Requests and jobs of this time at the start count, but not in percentiles; none by default.'),
    drain: milliseconds.exactOptional().describe('How long jobs may take after the last arrival; 30s by default.'),
    caps: capsSchema.exactOptional(),
  })
  .describe('What makes it a load: who sends what, and when.');

export type Traffic = z.output<typeof trafficSchema>;
export type TrafficStream = z.output<typeof stream>;
export type TrafficPacer = z.output<typeof pacer>;
export type TrafficDocument = z.output<typeof document>;
export const behaviourName = z
  .enum(BEHAVIOUR_NAMES)
  .describe('What the people around it do to its devices while traffic goes on.');

const UNITS: Readonly<Record<string, number>> = { B: 1, KB: 1_000, MB: 1_000_000 };

function bytesOf(text: string): number {
  const [, number = '0', unit = 'B'] = /^([\d.]+)([A-Z]+)$/.exec(text) ?? [];
  return Math.round(Number(number) * (UNITS[unit] ?? 1));
}
