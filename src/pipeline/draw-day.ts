/**
 * Draws a day of a pipeline from a seed: jobs, and faults at every place that the pipeline has.
 */

import { createRandom, type Random } from '../common/random.ts';
import { programsOf, type Pipeline } from './pipeline-file.ts';
import { faultsOf, isHttp } from './standing-between.ts';
import type { Day, Step } from './steps.ts';
import { namesIn } from './values.ts';

/** Those that a sound pipeline can live with: none takes a job and prints nothing of it. */
const PRINTER_FAULTS = ['media-empty', 'media-jam', 'shutdown', 'drops-connection', 'drops-answer', 'slow-connection'];
const METHODS = [undefined, undefined, 'GET', 'POST', 'POST', 'PUT', 'PATCH'];
const WAITS_MS = [10, 30, 80, 150, 300, 500, 700];
const FEWEST_STEPS = 4;
const MOST_STEPS = 12;
const SLOW_DAYS = 0.4;

interface Move {
  readonly weight: number;
  readonly draw: (pipeline: Pipeline, random: Random) => Step | undefined;
}

const MOVES: readonly Move[] = [
  { weight: 5, draw: ({ printers }, random) => ({ submit: random.pick(Object.keys(printers)) }) },
  { weight: 5, draw: (_, random) => ({ wait: random.pick(WAITS_MS) }) },
  { weight: 4, draw: drawBreak },
  { weight: 2, draw: drawFail },
  { weight: 1, draw: ({ printers }, random) => ({ fix: random.pick(Object.keys(printers)) }) },
  { weight: 1, draw: ({ between }, random) => picked(Object.keys(between), random, (name) => ({ restore: name })) },
  { weight: 3, draw: drawKill },
  { weight: 2, draw: (pipeline, random) => picked(programsOf(pipeline), random, (name) => ({ start: name })) },
  { weight: 1, draw: drawAgain },
];

const ALL_MOVES = MOVES.flatMap(({ weight, draw }) => Array.from({ length: weight }, () => draw));

/** A day always has a job; what could not mean anything on it is left out. */
export function drawDay(seed: number, pipeline: Pipeline): Day {
  const random = createRandom(seed).stream('day of a pipeline');
  const draw = seed % 2 === 0 ? plainDay : random.pick([longDay, shortDay, shortDay, shortDay, repeatDay]);
  const drawn = draw(pipeline, random, Math.floor(seed / 2));
  const steps = drawn.filter((step) => step !== undefined);
  const hasJob = steps.some((step) => 'submit' in step);
  const first = { submit: random.pick(Object.keys(pipeline.printers)) };
  return { seed, steps: meaningful(hasJob ? steps : [...steps, first]) };
}

type Drawn = readonly (Step | undefined)[];

/** One thing goes wrong, a job meets it, and there is time for what follows: one day after the other, all there is. */
function plainDay(pipeline: Pipeline, random: Random, count: number): Drawn {
  const troubles = troublesOf(pipeline);
  const trouble = troubles[count % troubles.length];
  const submit = printerOf(trouble, pipeline) ?? random.pick(Object.keys(pipeline.printers));
  return [trouble, { submit }, { wait: Math.max(...WAITS_MS) }];
}

function troublesOf(pipeline: Pipeline): readonly Step[] {
  return [
    ...Object.keys(pipeline.printers).flatMap((printer) =>
      PRINTER_FAULTS.map((fault) => ({ fail: { printer, fault } })),
    ),
    ...Object.entries(pipeline.between).flatMap(([between, { to }]) =>
      faultsOf(to).map((fault) => ({ break: { between, fault } })),
    ),
    ...programsOf(pipeline).map((kill) => ({ kill })),
  ];
}

function longDay(pipeline: Pipeline, random: Random): Drawn {
  const count = random.integer(FEWEST_STEPS, MOST_STEPS);
  return Array.from({ length: count }, () => random.pick(ALL_MOVES)(pipeline, random));
}

/** Something goes wrong, a job meets it, and now and then something happens to that job as well. */
function shortDay(pipeline: Pipeline, random: Random): Drawn {
  const isSlow = random.chance(SLOW_DAYS);
  const trouble = random.pick(isSlow ? SLOWING : TROUBLES)(pipeline, random);
  const printer = printerOf(trouble, pipeline) ?? random.pick(Object.keys(pipeline.printers));
  const wait = (): Step => ({ wait: random.pick(WAITS_MS) });
  const meanwhile = isSlow ? [drawKill] : [drawKill, drawAgain, drawBreak, () => ({ submit: printer })];
  const moves = Array.from({ length: isSlow ? 1 : random.integer(0, 2) }, () => random.pick(meanwhile));
  return [trouble, { submit: printer }, wait(), ...moves.flatMap((draw) => [draw(pipeline, random), wait()])];
}

/** Something goes wrong between two submissions of a job. */
function repeatDay(pipeline: Pipeline, random: Random): Drawn {
  const printer = random.pick(Object.keys(pipeline.printers));
  const trouble = random.pick([drawKill, drawBreak])(pipeline, random);
  const again = drawAgain(pipeline, random) && { again: printer };
  return [{ submit: printer }, { wait: random.pick(WAITS_MS) }, trouble, again];
}

const TROUBLES = [drawBreak, drawBreak, drawFail, drawKill];
/** What takes long can be killed in the middle. */
const SLOWING: readonly Move['draw'][] = [
  ({ printers }, random) => ({ fail: { printer: random.pick(Object.keys(printers)), fault: 'slow-connection' } }),
  ({ between }, random) =>
    picked(Object.keys(between), random, (name) => ({ break: { between: name, fault: 'latency' } })),
];

/** The one that meets it, where it is one printer alone. */
function printerOf(trouble: Step | undefined, { between }: Pipeline): string | undefined {
  if (trouble === undefined) return undefined;
  if ('fail' in trouble) return trouble.fail.printer;
  if (!('break' in trouble)) return undefined;
  return /\{printer\.([\w-]+)/.exec(between[trouble.break.between]?.to ?? '')?.[1];
}

function drawBreak({ between }: Pipeline, random: Random): Step | undefined {
  return picked(Object.keys(between), random, (name) => {
    const to = between[name]?.to ?? '';
    const on = isHttp(to) ? random.pick(METHODS) : undefined;
    return {
      break: {
        between: name,
        fault: random.pick(faultsOf(to)),
        ...(on !== undefined && { on }),
        ...(random.chance(0.3) && { after: random.integer(1, 3) }),
        ...(random.chance(0.7) && { times: random.integer(1, 2) }),
      },
    };
  });
}

function drawFail({ printers }: Pipeline, random: Random): Step {
  return { fail: { printer: random.pick(Object.keys(printers)), fault: random.pick(PRINTER_FAULTS) } };
}

function drawKill(pipeline: Pipeline, random: Random): Step | undefined {
  return picked(programsOf(pipeline), random, (name) => ({ kill: name }));
}

function drawAgain({ printers, submit }: Pipeline, random: Random): Step | undefined {
  if (!namesIn(submit).has('key')) return undefined;
  return { again: random.pick(Object.keys(printers)) };
}

function picked(names: readonly string[], random: Random, step: (name: string) => Step): Step | undefined {
  return names.length === 0 ? undefined : step(random.pick(names));
}

/** Without a start of what runs, a second submission of what was not submitted, and a fix of what is whole. */
function meaningful(steps: readonly Step[]): readonly Step[] {
  const happened = new Set<string>();
  return steps.filter((step) => {
    const means = meansAnything(step, happened);
    if ('start' in step) happened.delete(`kill ${step.start}`);
    if (means) happened.add(keyOf(step));
    return means;
  });
}

function meansAnything(step: Step, happened: ReadonlySet<string>): boolean {
  if ('start' in step) return happened.has(`kill ${step.start}`);
  if ('kill' in step) return !happened.has(`kill ${step.kill}`);
  if ('again' in step) return happened.has(`submit ${step.again}`);
  if ('fix' in step) return happened.has(`fail ${step.fix}`);
  if ('restore' in step) return happened.has(`break ${step.restore}`);
  return true;
}

function keyOf(step: Step): string {
  if ('break' in step) return `break ${step.break.between}`;
  if ('fail' in step) return `fail ${step.fail.printer}`;
  const [verb = '', object = ''] = Object.entries(step)[0] ?? [];
  return `${verb} ${String(object)}`;
}
