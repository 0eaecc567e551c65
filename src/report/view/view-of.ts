/**
 * The view of a record of any kind.
 */

import { countOf } from '../../common/count-of.ts';
import { formatDuration } from '../../common/duration.ts';
import type { Progress } from '../../record/fields.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { viewOfCaller } from './caller-view.ts';
import { viewOfCheck } from './check-view.ts';
import { viewOfExplore } from './explore-view.ts';
import { viewOfLoad } from './load-view.ts';
import { type RunView } from './run-view.ts';
import { viewOfScenarios } from './scenario-view.ts';

export function viewOf(record: RunRecord): RunView {
  const kind = viewOfKind(record);
  const view = { ...kind, remarks: [...kind.remarks, ...besideIt(record)] };
  return view.progress ? { ...view, word: 'UNDER WAY', sentence: sentenceOf(view, view.progress) } : view;
}

function viewOfKind(record: RunRecord): RunView {
  if (record.kind === 'check') return viewOfCheck(record);
  if (record.kind === 'explore') return viewOfExplore(record);
  if (record.kind === 'caller') return viewOfCaller(record);
  return record.kind === 'load' ? viewOfLoad(record) : viewOfScenarios(record);
}

/** What a run measured while another went on is not what it would have measured alone. */
function besideIt({ beside = [] }: RunRecord): readonly string[] {
  if (beside.length === 0) return [];
  const runs = beside.map(({ runId, kind, about }) => `${kind} ${about} (${runId})`);
  return [`Beside it ran ${runs.join(', ')}: what was measured may be slower than it is alone.`];
}

/** `112 of 268 checks; about 40s left` */
function sentenceOf({ kind, noun }: RunView, { done, total, remainingMs, doing }: Progress): string {
  const left = remainingMs === null ? '' : `; about ${formatDuration(Math.ceil(remainingMs / 1_000) * 1_000)} left`;
  // An exploration goes by days, and lists its findings.
  const unit = kind === 'explore' ? 'day' : noun;
  const what = kind === 'load' ? `${doing}, ${done} of ${total} s` : `${done} of ${countOf(total, unit)}`;
  return `${what}${left}.`;
}
