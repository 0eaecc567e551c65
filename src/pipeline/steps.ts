/**
 * Steps: jobs, faults and kills in the order in which a day has them.
 *
 *   - submit: kitchen
 *   - break: { between: api, fault: lost-answer, on: POST, times: 1 }
 *   - kill: agent
 */

import { z } from 'zod';

import { milliseconds } from '../common/duration-schema.ts';
import { usageError } from '../common/actionable-error.ts';
import { formatDuration } from '../common/duration.ts';
import { formatProblem } from '../common/problem.ts';
import { readFileAs } from '../common/schema-problems.ts';
import { readYaml } from '../common/yaml-source.ts';
import { programsOf, type Pipeline } from './pipeline-file.ts';

const name = z.string().min(1);
const stepSchema = z.union([
  z.strictObject({ submit: name.describe('a job for this printer') }),
  z.strictObject({ again: name.describe('the last job for this printer once more, with the key that it had') }),
  z.strictObject({
    break: z.strictObject({
      between: name,
      fault: name,
      on: name.exactOptional().describe('HTTP: requests with this method alone'),
      after: z.int().min(0).exactOptional().describe('requests or connections that go well first'),
      times: z.int().min(1).exactOptional().describe('how many do not; all of them by default'),
    }),
  }),
  z.strictObject({ restore: name.describe('a connection') }),
  z.strictObject({ fail: z.strictObject({ printer: name, fault: name }) }),
  z.strictObject({ fix: name.describe('a printer') }),
  z.strictObject({ kill: name.describe('a program, as SIGKILL ends it, with all that it has started') }),
  z.strictObject({ start: name.describe('a program that was killed') }),
  z.strictObject({ wait: milliseconds }),
]);

export type Step = z.infer<typeof stepSchema>;

const daySchema = z.strictObject({
  title: z.string(),
  why: z.string().exactOptional(),
  steps: z.array(stepSchema).min(1),
});

/** The steps of a day; what follows them is always the same: all faults end, and everything has to get through. */
export interface Day {
  readonly seed: number;
  readonly steps: readonly Step[];
}

export interface ToldDay {
  readonly title: string;
  readonly why: string;
  readonly steps: readonly Step[];
}

/** @throws ActionableError with what is wrong with it, or what the pipeline does not have */
export function readDay(file: string, text: string, pipeline: Pipeline): ToldDay {
  const source = readYaml(text);
  const read = source.ok ? readFileAs(daySchema, source.value) : source;
  if (!read.ok) {
    throw usageError(
      read.error.map((problem) => formatProblem(file, problem)),
      `It is to be a day of a pipeline, as platen explore --target ${pipeline.file} writes it.`,
    );
  }
  for (const step of read.value.steps) refuseUnknown(step, pipeline, file);
  return { why: '', ...read.value };
}

function refuseUnknown(step: Step, pipeline: Pipeline, file: string): void {
  const [kind, named] = namedBy(step);
  if (kind === undefined) return;
  const names = kind === 'start' ? programsOf(pipeline) : Object.keys(pipeline[kind]);
  if (names.includes(named)) return;
  const known = names.join(', ') || 'nothing';
  throw usageError(`${file}: ${inWords(step)}: ${pipeline.file} has no '${named}' under ${kind}`, `There is ${known}.`);
}

type Named = readonly [kind: 'printers' | 'between' | 'start' | undefined, name: string];

function namedBy(step: Step): Named {
  if ('submit' in step) return ['printers', step.submit];
  if ('again' in step) return ['printers', step.again];
  if ('fail' in step) return ['printers', step.fail.printer];
  if ('fix' in step) return ['printers', step.fix];
  if ('break' in step) return ['between', step.break.between];
  if ('restore' in step) return ['between', step.restore];
  if ('kill' in step) return ['start', step.kill];
  if ('start' in step) return ['start', step.start];
  return [undefined, ''];
}

/** One line: `kill agent`, `break api: lost-answer on POST, once`. */
export function inWords(step: Step): string {
  if ('break' in step) {
    const { between, fault, on, after = 0, times } = step.break;
    const skipped = after === 0 ? '' : `, after ${after}`;
    return `break ${between}: ${fault}${on === undefined ? '' : ` on ${on}`}${skipped}${times === undefined ? '' : `, times ${times}`}`;
  }
  if ('fail' in step) return `fail ${step.fail.printer}: ${step.fail.fault}`;
  if ('wait' in step) return `wait ${formatDuration(step.wait)}`;
  const [verb = '', object = ''] = Object.entries(step)[0] ?? [];
  return `${verb} ${object}`;
}

/** Whether it makes something go wrong: after a day without, nothing may be given up. */
export function isTrouble(step: Step): boolean {
  return 'break' in step || 'fail' in step || 'kill' in step;
}

/** A file that `platen run` plays. */
export function dayText({ title, why, steps }: ToldDay): string {
  const lines = steps.map((step) => {
    const [verb, value] = Object.entries(step)[0] ?? [];
    const written = verb === 'wait' ? formatDuration(Number(value)) : typeof value === 'string' ? value : flow(value);
    return `  - ${verb}: ${written}`;
  });
  return [`title: ${JSON.stringify(title)}`, `why: ${JSON.stringify(why)}`, 'steps:', ...lines, ''].join('\n');
}

function flow(value: unknown): string {
  const entries = Object.entries(value as Readonly<Record<string, unknown>>);
  return `{ ${entries.map(([key, one]) => `${key}: ${String(one)}`).join(', ')} }`;
}
