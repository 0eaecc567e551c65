/**
 * A run of any kind on a terminal.
 */

import type { RunRecord } from '../../record/run-record.ts';
import type { ScenarioRunRecord } from '../../record/scenario-record.ts';
import { renderTerminal, type TerminalOptions } from './check-terminal.ts';
import { renderLoad } from './load-terminal.ts';
import { printableDeep } from './printable.ts';
import { renderScenario, renderScenarioHeadline } from './scenario-terminal.ts';

/** The whole report of a run. */
export function renderRun(record: RunRecord, options: TerminalOptions): string {
  if (record.kind === 'check') return renderTerminal(record, options);
  return record.kind === 'load'
    ? renderLoad(printableDeep(record), options)
    : renderScenarios(record, options);
}

function renderScenarios(record: ScenarioRunRecord, options: TerminalOptions): string {
  const scenarios = record.scenarios.map((one) => renderScenario(one, options));
  return `\n${[...scenarios, '', renderScenarioHeadline(record, options)].join('\n')}\n`;
}
