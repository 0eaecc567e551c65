/**
 * View of a run of scenarios.
 */

import { formatDuration } from '../../common/duration.ts';
import type { ScenarioRecord, ScenarioRunRecord } from '../../record/scenario-record.ts';
import type { ResultView, RunView, Standing } from './run-view.ts';

const STANDING_OF: Readonly<Record<ScenarioRecord['verdict'], Standing>> = {
  fail: 'failed',
  'harness-error': 'error',
  inconclusive: 'skipped',
  pass: 'passed',
};

export function viewOfScenarios(record: ScenarioRunRecord): RunView {
  const { target, summary, scenarios } = record;
  const { total, pass = 0 } = summary.scenarios;
  return {
    kind: record.kind,
    runId: record.runId,
    title: `Scenarios on ${target.name}`,
    target: target.name,
    seed: record.seed === null ? 'of each scenario' : String(record.seed),
    startedAt: record.startedAt,
    durationMs: record.durationMs,
    platenVersion: record.platenVersion,
    exitCode: summary.exitCode,
    ...verdictOf(record),
    noun: ['scenario', 'scenarios'],
    facts: [
      ['Target', `${target.name} (${target.kind})`],
      ...(target.baseUrl === null ? [] : [['Address', target.baseUrl] as const]),
      ['Run', `${total} scenarios`],
    ],
    remarks: [],
    badge: { label: 'scenarios', text: `${pass}/${total}` },
    results: scenarios.map(resultOf),
    clauses: [],
    gaps: [],
    tables: [],
    charts: [],
  };
}

function verdictOf({ summary }: ScenarioRunRecord): { readonly word: string; readonly sentence: string } {
  const { total, fail = 0, inconclusive = 0 } = summary.scenarios;
  if (summary.exitCode === 0) return { word: 'PASSED', sentence: `All went as the ${total} scenarios say.` };
  if (summary.exitCode === 1)
    return { word: 'FAILED', sentence: `${fail} of ${total} scenarios went otherwise.` };
  if (summary.exitCode === 2) {
    return { word: 'INCOMPLETE', sentence: `${inconclusive} of ${total} scenarios could not be told here.` };
  }
  if (summary.lostIn !== null) {
    return {
      word: 'CUT SHORT',
      sentence: `The service stopped answering in ${summary.lostIn}; what follows was not played.`,
    };
  }
  return { word: 'BROKEN', sentence: 'platen itself broke: this run says nothing about the service.' };
}

function resultOf(scenario: ScenarioRecord): ResultView {
  const { id, at, breaks, stories, why } = scenario;
  const line = /\(line (\d{1,6})\)/.exec(at ?? '')?.[1];
  const folder = id.split(/[\\/]/).slice(0, -1).join('/');
  return {
    id,
    title: scenario.title,
    group: folder,
    standing: STANDING_OF[scenario.verdict],
    verdict: scenario.verdict,
    durationMs: scenario.durationMs,
    message: [at, scenario.message].filter(Boolean).join(': '),
    clauses: [],
    findings: breaks.map(({ at: place, expected, actual }) => ({
      clause: '',
      level: '',
      statement: '',
      at: place,
      expected,
      actual,
      exchange: undefined,
    })),
    observed: [],
    exchanges: [],
    unanswered: [],
    notes: [
      why.trim().replaceAll(/\s+/g, ' '),
      `Seed ${scenario.seed}; ${formatDuration(scenario.elapsedMs)} went by for the service.`,
    ],
    stack: '',
    log: scenario.log,
    elapsedMs: scenario.elapsedMs,
    stories: stories.map((story) => ({
      title: `Job ${story.id} (${story.name})`,
      lines: [...story.timeline, ...story.files.map((file) => `sheets: ${file}`)],
    })),
    source: { file: id, line: line === undefined ? 1 : Number(line), step: at ?? '' },
    repeat:
      scenario.verdict === 'pass'
        ? ''
        : `platen run ${shellWord(id)} --seed ${shellWord(String(scenario.seed))}`,
  };
}

/** A text as one word of a POSIX shell. */
function shellWord(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
