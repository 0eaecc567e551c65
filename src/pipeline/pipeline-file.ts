/**
 * Pipeline file: how a print pipeline of any make takes a job, which programs it is made of, where its printers are,
 * and in which of its connections platen stands.
 *
 *   text ─► YAML with positions ─► schema ─► names in braces ─► Pipeline, or problems at line and column
 *
 * docs/pipelines.md is written from this schema.
 */

import path from 'node:path';

import { z } from 'zod';

import { usageError } from '../common/actionable-error.ts';
import { milliseconds } from '../common/duration-schema.ts';
import { readTextFile } from '../common/given-file.ts';
import { isObject } from '../common/json-value.ts';
import { failure, type Outcome } from '../common/outcome.ts';
import { formatProblem, type Path, type Problem } from '../common/problem.ts';
import { readFileAs } from '../common/schema-problems.ts';
import { readYaml } from '../common/yaml-source.ts';
import { DOCUMENT_KINDS } from './marked-document.ts';
import { JOB_VALUES, namesIn, STATE_VALUES } from './values.ts';

/** The name of the CUPS that platen starts, as programs have theirs. */
export const CUPS = 'cups';

const PROTOCOLS = ['raw', 'ipp', 'lpd'] as const;

const NAME = /^[A-Za-z][\w-]{0,40}$/;
const name = z.string().regex(NAME, 'must be letters, digits, - and _, and begin with a letter');
const text = (what: string): z.ZodString => z.string().min(1).describe(what);
const port = z.int().min(1).max(65_535).optional();
const words = (what: string) =>
  z
    .array(z.union([z.string(), z.number(), z.boolean()]))
    .min(1)
    .describe(what);

const printer = z.union([
  z.enum(PROTOCOLS),
  z.strictObject({
    protocol: z.enum(PROTOCOLS).describe('how the pipeline reaches it'),
    profile: text(
      'which model it is; `receipt-80mm` by default, `laser-a4` for a PDF, `label-zebra-zpl` for ZPL',
    ).optional(),
    as: text('what the pipeline calls it in a job; its name here by default').optional(),
    port: port.describe('where it listens, for a pipeline that platen does not start; a free one by default'),
  }),
]);

const piece = z.union([
  text('the command'),
  z.strictObject({
    command: text('run by the shell, in the folder of this file; it stays in the foreground'),
    ready: text(
      'how it is seen to be up: an address that then takes connections, or a text that it then prints',
    ).optional(),
    environment: z.record(z.string(), z.string()).optional().describe('environment variables: name and value'),
  }),
]);

const between = z.union([
  text('the address'),
  z.strictObject({
    to: text('the address that it leads to: `http://…` for HTTP, `tcp://…` or `socket://…` for anything else'),
    port: port.describe('where platen listens, for a pipeline that it does not start; a free one by default'),
  }),
]);

const headers = z.record(z.string(), z.string()).optional().describe('name and value');

const submit = z
  .strictObject({
    url: text('where a job is submitted').optional(),
    method: text('`POST` by default').optional(),
    headers,
    body: z
      .union([z.string(), z.record(z.string(), z.unknown())])
      .optional()
      .describe('as text, or as an object that is sent as JSON'),
    command: text('instead of `url`: run by the shell; exit code 0 means that the job was taken').optional(),
    id: text(
      'where in the JSON of the answer the id of the job stands, such as `job.id`; `.` where it is all of it: `{id}` in `state`',
    ).optional(),
    document: z
      .enum(DOCUMENT_KINDS)
      .default('esc-pos')
      .describe('what kind of document a job has; `esc-pos` by default'),
  })
  .refine(({ url, command }) => (url === undefined) !== (command === undefined), {
    message: 'a job is submitted to a `url` or by a `command`, one of them',
  });

const state = z
  .strictObject({
    url: text('where the state of a job is read').optional(),
    headers,
    command: text('instead of `url`: what it prints is the answer').optional(),
    path: text('where in the JSON of the answer the state stands; the whole answer without it').optional(),
    done: words('words that mean: printed'),
    failed: words('words that mean: given up, and not printed').optional(),
    uncertain: words('words that mean: perhaps printed, and not tried again').optional(),
  })
  .refine(({ url, command }) => (url === undefined) !== (command === undefined), {
    message: 'a state is read at a `url` or by a `command`, one of them',
  });

export const pipelineSchema = z.strictObject({
  title: text('what it is called in reports; the name of the file by default').optional(),
  printers: z.record(name, printer).describe('the printers of the room: name and protocol'),
  between: z.record(name, between).default({}).describe('connections in which platen stands: name and where it leads'),
  queues: z
    .record(name, text('the address'))
    .default({})
    .describe('print queues of a CUPS that platen starts: name and the address that each leads to'),
  start: z.record(name, piece).default({}).describe('the programs, started in this order: name and command'),
  submit: submit.describe('how a job is submitted'),
  state: state.optional().describe('how it is known what became of a job'),
  within: milliseconds
    .default(10_000)
    .describe('how long a job may take once nothing is wrong any more; `10s` by default'),
  quiet: milliseconds.default(1_000).describe('how long nothing may come after the last paper; `1s` by default'),
});

type Written = z.infer<typeof pipelineSchema>;
export type Submit = Written['submit'];
export type StateQuestion = NonNullable<Written['state']>;
export type PrinterOfRoom = Exclude<Written['printers'][string], string>;
export type Piece = Exclude<Written['start'][string], string>;
export type Between = Exclude<Written['between'][string], string>;

export interface Pipeline extends Omit<Written, 'title' | 'printers' | 'between' | 'start'> {
  readonly title: string;
  /** Its path. */
  readonly file: string;
  readonly folder: string;
  readonly printers: Readonly<Record<string, PrinterOfRoom>>;
  readonly between: Readonly<Record<string, Between>>;
  readonly start: Readonly<Record<string, Piece>>;
}

function hasCups({ queues }: Pick<Written, 'queues'>): boolean {
  return Object.keys(queues).length > 0;
}

/** What can be killed and started. */
export function programsOf(pipeline: Pick<Pipeline, 'queues' | 'start'>): readonly string[] {
  return [...(hasCups(pipeline) ? [CUPS] : []), ...Object.keys(pipeline.start)];
}

/** Keys that the descriptor of a service has not. */
const OF_PIPELINES = ['printers', 'between', 'queues', 'submit', 'state'];

/** Whether a target is a pipeline, not the descriptor of a service; in broken YAML the text tells it. */
export function isPipeline(source: string): boolean {
  const read = readYaml(source);
  if (!read.ok) return OF_PIPELINES.some((key) => source.split('\n').some((line) => line.startsWith(`${key}:`)));
  const { value } = read.value;
  return isObject(value) && OF_PIPELINES.some((key) => key in value);
}

/** @throws ActionableError with every mistake in it */
export async function loadPipeline(file: string): Promise<Pipeline> {
  const source = await readTextFile(file, 'Name a pipeline file; platen init --pipeline writes one.');
  const read = readPipeline(source);
  if (!read.ok) {
    throw usageError(
      read.error.map((problem) => formatProblem(file, problem)),
      'Correct the file; docs/pipelines.md has its keys.',
    );
  }
  const { printers, between: connections, start, ...rest } = read.value;
  return {
    ...rest,
    title: rest.title ?? path.basename(file),
    file,
    folder: path.dirname(path.resolve(file)),
    printers: mapped(printers, (one) => (typeof one === 'string' ? { protocol: one } : one)),
    between: mapped(connections, (one) => (typeof one === 'string' ? { to: one } : one)),
    start: mapped(start, (one) => (typeof one === 'string' ? { command: one } : one)),
  };
}

function mapped<Value, Result>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Readonly<Record<string, Result>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

export function readPipeline(source: string): Outcome<Written, readonly Problem[]> {
  const yaml = readYaml(source);
  if (!yaml.ok) return yaml;
  const read = readFileAs(pipelineSchema, yaml.value);
  if (!read.ok) return read;
  const problems = [
    ...emptiness(read.value),
    ...wrongTexts(read.value, [], (text) =>
      [...text.matchAll(TO_FILL_IN)].map(([place]) => `fill in ${place}, which is yours`),
    ),
    ...unknownNames(read.value),
  ];
  if (problems.length === 0) return read;
  return failure(problems.map(({ at, message }) => yaml.value.problemAt(at, message)));
}

interface Misfit {
  readonly at: Path;
  readonly message: string;
}

function emptiness({
  printers,
  queues,
  start,
  submit: { url, body, command, headers: sent },
}: Written): readonly Misfit[] {
  const told = namesIn([url, body, command, sent]);
  return [
    ...(hasCups({ queues }) && CUPS in start
      ? [{ at: ['start', CUPS], message: 'the CUPS of queues has this name' }]
      : []),
    ...(Object.keys(printers).length === 0 ? [{ at: ['printers'], message: 'there is no printer' }] : []),
    ...(CARRIERS.some((carrier) => told.has(carrier))
      ? []
      : [
          {
            at: ['submit'],
            message: `a job is known on paper by its mark: put one of ${CARRIERS.map(braced).join(', ')} in it`,
          },
        ]),
    ...(Object.keys(printers).length > 1 && !told.has('printer') && !told.has('address')
      ? [{ at: ['submit'], message: 'nothing names the printer of a job: put {printer} in it' }]
      : []),
  ];
}

/** What brings the mark to the paper. */
const CARRIERS = ['document', 'file', 'title', 'mark'] as const;
const braced = (one: string): string => `{${one}}`;

function unknownNames(pipeline: Written): readonly Misfit[] {
  const places = [
    ...Object.keys(pipeline.printers).map((one) => `printer.${one}`),
    ...Object.keys(pipeline.between).map((one) => `between.${one}`),
  ].flatMap((one) => [one, `${one}.host`, `${one}.port`]);
  const known = ['folder', ...places, ...(hasCups(pipeline) ? [CUPS] : [])];
  return [
    ...unknownIn(pipeline.queues, ['queues'], known),
    ...unknownIn(pipeline.start, ['start'], known),
    ...unknownIn(pipeline.between, ['between'], known),
    ...unknownIn(pipeline.submit, ['submit'], [...known, ...JOB_VALUES]),
    ...unknownIn(pipeline.state, ['state'], [...known, ...STATE_VALUES]),
  ];
}

/** What `platen init` leaves open. */
const TO_FILL_IN = /<your [^<>\n]+>/g;

function unknownIn(value: unknown, at: Path, known: readonly string[]): readonly Misfit[] {
  const shown = known.filter((one) => !/\.(?:host|port)$/.test(one)).map(braced);
  return wrongTexts(value, at, (text) =>
    [...namesIn(text)]
      .filter((one) => !known.includes(one) && !/^port\.[A-Za-z][\w-]*$/.test(one))
      .map((one) => `nothing is called {${one}} here; there are ${shown.join(', ')} and {port.NAME} for a free port`),
  );
}

/** What is wrong with each text anywhere in a value. */
function wrongTexts(value: unknown, at: Path, wrong: (text: string) => readonly string[]): readonly Misfit[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) =>
      wrongTexts(inner, [...at, Array.isArray(value) ? Number(key) : key], wrong),
    );
  return typeof value === 'string' ? wrong(value).map((message) => ({ at, message })) : [];
}
