/**
 * View of a run of scenarios.
 */

import { countOf } from '../../common/count-of.ts';
import { inOneLine } from '../../common/in-one-line.ts';
import { shellArgument } from '../../common/shell-word.ts';
import { formatDuration } from '../../common/duration.ts';
import { flagWords } from '../../record/flags-again.ts';
import type { PlayedTarget } from '../../record/fields.ts';
import type { ScenarioRecord, ScenarioRunRecord } from '../../record/scenario-record.ts';
import { headOf, NO_EVIDENCE, type ResultView, type RunView, type Standing } from './run-view.ts';

const NOUN = 'scenario';

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
    ...headOf(record),
    title: `Scenarios on ${target.name}`,
    seed: record.seed === null ? 'of each scenario' : String(record.seed),
    ...verdictOf(record),
    noun: NOUN,
    facts: [
      ['Target', `${target.name} (${target.kind})`],
      ...(target.baseUrl === null ? [] : [['Address', target.baseUrl] as const]),
      ...(target.unseen === undefined ? [] : [['Not seen', target.unseen] as const]),
      ['Run', countOf(total, NOUN)],
    ],
    remarks: [],
    badge: { label: 'scenarios', text: `${pass}/${total}` },
    results: scenarios.map((scenario) => viewOfScenario(scenario, target)),
    clauses: [],
    gaps: [],
    tables: [],
    charts: [],
  };
}

function verdictOf({ summary }: ScenarioRunRecord): { readonly word: string; readonly sentence: string } {
  const { total, fail = 0, inconclusive = 0 } = summary.scenarios;
  if (summary.exitCode === 0) {
    const all = total === 1 ? 'The scenario' : `All ${countOf(total, NOUN)}`;
    return { word: 'PASSED', sentence: `${all} went as expected.` };
  }
  if (summary.exitCode === 1) return { word: 'FAILED', sentence: `${fail} of ${countOf(total, NOUN)} failed.` };
  if (summary.exitCode === 2) {
    return {
      word: 'INCOMPLETE',
      sentence: `${inconclusive} of ${countOf(total, NOUN)} could not be judged here.`,
    };
  }
  if (summary.lostIn !== null) {
    return {
      word: 'CUT SHORT',
      sentence: `The service stopped answering in ${summary.lostIn}; what follows was not played.`,
    };
  }
  return { word: 'BROKEN', sentence: 'platen itself broke: this run says nothing about the service.' };
}

export function viewOfScenario(scenario: ScenarioRecord, target: PlayedTarget): ResultView {
  const { id, at, line = 1, breaks, stories, why, seed } = scenario;
  const folder = id.split(/[\\/]/).slice(0, -1).join('/');
  return {
    ...NO_EVIDENCE,
    id,
    title: scenario.title,
    group: folder,
    standing: STANDING_OF[scenario.verdict],
    verdict: scenario.verdict,
    durationMs: scenario.durationMs,
    message: [at, scenario.message].filter(Boolean).join(': '),
    findings: breaks.map(({ at: place, expected, actual }) => ({
      clause: '',
      level: '',
      statement: '',
      source: '',
      at: place,
      expected,
      actual,
      exchange: undefined,
    })),
    notes: [inOneLine(why), `Seed ${seed}; ${formatDuration(scenario.elapsedMs)} went by for the service.`],
    log: scenario.log,
    elapsedMs: scenario.elapsedMs,
    pictures: stories.flatMap(({ pictures = [] }) => pictures),
    stories: stories.map((story) => ({
      title: `Job ${story.id} (${story.name})`,
      lines: [...story.timeline, ...story.files.map((file) => `sheets: ${file}`)],
    })),
    source: { file: id, line, step: at ?? '' },
    repeat:
      scenario.verdict === 'pass'
        ? ''
        : `platen run ${shellArgument(id)}${placeOf(target)} --seed ${shellArgument(String(seed))}`,
  };
}

/** What names the service to `platen run`: nothing for the reference service. */
export function placeOf({ baseUrl, descriptor: target, url, start, link, callbackHost }: PlayedTarget): string {
  const address = (target ?? start) === undefined ? (baseUrl ?? undefined) : url;
  const words = [
    ...(address === undefined ? [] : [shellArgument(address)]),
    ...flagWords({ target, start, link, callbackHost }),
  ];
  return words.map((word) => ` ${word}`).join('');
}
