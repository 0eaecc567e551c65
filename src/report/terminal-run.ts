/**
 * A run of any kind on a terminal.
 */

import { renderLoad } from './load/load-terminal.ts';
import { printableDeep } from './printable.ts';
import type { AnyRecord } from './record/any-record.ts';
import type { ScenarioRunRecord } from './scenario/scenario-record.ts';
import { renderPlayed, renderScenarioHeadline } from './scenario/scenario-terminal.ts';
import { renderTerminal, type TerminalOptions } from './terminal.ts';

/** The whole report of a run. */
export function renderRun(record: AnyRecord, options: TerminalOptions): string {
  if (record.kind === 'check') return renderTerminal(record, options);
  return record.kind === 'load'
    ? renderLoad(printableDeep(record), options)
    : renderScenarios(record, options);
}

function renderScenarios(record: ScenarioRunRecord, options: TerminalOptions): string {
  const played = record.scenarios.map(({ id, at, ...rest }) => ({ ...rest, file: id, at: at ?? undefined }));
  const { target, durationMs, summary } = record;
  const headline = renderScenarioHeadline(
    { played, target, durationMs, lostIn: summary.lostIn, exitCode: summary.exitCode },
    options,
  );
  return `\n${[...played.map((one) => renderPlayed(one, options)), '', headline].join('\n')}\n`;
}
