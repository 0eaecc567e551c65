/**
 * npm run prove pipelines: every seeded fault of the model agent is found blind in a minute of days, and the sound one is
 * accused of nothing.
 *
 *   -- --days 1000      days of the sound one (1,000)
 *   -- --faults a,b     only these faults
 *   -- --lanes 6        days at the same time (6)
 *   -- --seed 1         of the first day (1)
 */

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { startStopwatch } from '../../src/common/stopwatch.ts';
import { inWords } from '../../src/pipeline/steps.ts';
import { exploreModel } from './explore-model.ts';
import { MODEL_FAULTS } from './model-faults.ts';

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '1000' },
    faults: { type: 'string' },
    lanes: { type: 'string', default: '6' },
    seed: { type: 'string', default: '1' },
  },
});
const LIMIT_MS = 60_000;
const MOST_STEPS = 6;
const sideBySide = Number(values.lanes);
const seed = Number(values.seed);
const faults = values.faults?.split(',') ?? Object.keys(MODEL_FAULTS);

interface Row {
  readonly fault: string;
  readonly isGood: boolean;
  readonly cells: readonly (string | number)[];
}

const rows: Row[] = [];
for (const fault of faults) {
  const elapsedMs = startStopwatch();
  const { days, findings } = await exploreModel(fault, { seed, limitMs: LIMIT_MS, sideBySide });
  const [finding] = findings;
  const isGood =
    finding !== undefined &&
    finding.steps.length <= MOST_STEPS &&
    MODEL_FAULTS[fault]?.includes(finding.promise) === true;
  const shown = finding
    ? [finding.promise, finding.steps.length, `${finding.repeats.broken} of ${finding.repeats.of}`]
    : ['not found', '', ''];
  const steps = finding?.steps.map(inWords).join('; ') ?? '';
  rows.push({ fault, isGood, cells: [...shown, days, `${Math.round(elapsedMs() / 1_000)} s`, steps] });
  process.stdout.write(`${isGood ? 'good' : 'BAD '} ${fault}: ${rows.at(-1)?.cells.join(' | ')}\n`);
}
const sound = await exploreModel('none', { seed: 10_000, seeds: Number(values.days), sideBySide });
const accusations = sound.findings.map(({ promise, steps }) => `${promise}: ${steps.map(inWords).join('; ')}`);
const soundLine = `The sound agent: ${sound.days} days, ${sound.jobs} jobs, ${sound.unplayed} days not played, accused of ${accusations.join(', ') || 'nothing'}.`;
process.stdout.write(`${soundLine}\n`);

if (values.faults === undefined) writeFileSync(new URL('../../reports/baseline/pipelines.md', import.meta.url), page());
if (rows.some(({ isGood }) => !isGood) || accusations.length > 0) process.exitCode = 1;

function page(): string {
  return [
    '# Pipelines: the model agent',
    '',
    'Each fault that is seeded in the model agent (`test/pipelines`), explored without knowing it, until the first',
    'thing is found. Days are real: programs that are killed, connections that break, a real clock. Written by',
    '`npm run prove pipelines`.',
    '',
    `Found as expected, after at most a minute of days and in ${MOST_STEPS} steps or fewer: ${rows.filter(({ isGood }) => isGood).length} of ${rows.length}.`,
    '',
    soundLine,
    '',
    '| fault | found | steps | repeats | days | in all | the steps |',
    '| --- | --- | --: | --- | --: | --: | --- |',
    ...rows.map(({ fault, cells }) => `| \`${fault}\` | ${cells.join(' | ')} |`),
    '',
  ].join('\n');
}
