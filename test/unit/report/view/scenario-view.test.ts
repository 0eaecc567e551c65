import { expect, it } from 'vitest';

import { viewOfScenarios } from '../../../../src/report/view/scenario-view.ts';
import { madeUpScenarios } from '../../../support/run-records.ts';

it('says of a run on a service that died where it did, and not that platen broke', () => {
  const record = madeUpScenarios();
  const summary = { ...record.summary, lostIn: 'scenarios/jam.yaml', exitCode: 75 };
  expect(viewOfScenarios({ ...record, summary })).toMatchObject({
    word: 'CUT SHORT',
    sentence: 'The service stopped answering in scenarios/jam.yaml; what follows was not played.',
  });
  expect(viewOfScenarios({ ...record, summary: { ...summary, lostIn: null, exitCode: 70 } }).word).toBe('BROKEN');
});
