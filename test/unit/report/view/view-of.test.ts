import { expect, it } from 'vitest';

import { renderHtml } from '../../../../src/report/html/page.ts';
import { renderRun } from '../../../../src/report/terminal/run-terminal.ts';
import { viewOf } from '../../../../src/report/view/view-of.ts';
import { madeUpExplore, madeUpLoad, madeUpRun, madeUpScenarios } from '../../../support/run-records.ts';

const BESIDE = [
  { runId: 'load-1', kind: 'load', about: 'Ten seconds' },
  { runId: 'check-2', kind: 'check', about: 'smoke' },
];
const REMARK =
  'Beside it ran load Ten seconds (load-1), check smoke (check-2): what was measured may be slower than it is alone.';

it.each(
  [madeUpRun(), madeUpScenarios(), madeUpLoad(), madeUpExplore()].map((record) => [record.kind, record] as const),
)('says of a %s what ran beside it', (_, record) => {
  expect(viewOf({ ...record, beside: BESIDE }).remarks).toContain(REMARK);
  expect(viewOf(record).remarks).not.toContain(REMARK);
});

it('says it on the terminal and in the report', () => {
  const record = { ...madeUpLoad(), beside: BESIDE };
  expect(renderRun(record, { color: false })).toContain(REMARK);
  expect(renderHtml([record])).toContain(REMARK);
});
