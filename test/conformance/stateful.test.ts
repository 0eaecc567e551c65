/**
 * What a stateful check finds is kept, and can be played again.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it } from 'vitest';

import { buildRunRecord } from '../../src/conformance/record/build-record.ts';
import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import { renderEvidence } from '../../src/report/check/evidence.ts';
import { writeReports } from '../../src/report/write-reports.ts';
import { ALL_MUTANTS } from '../mutants/catalogue.ts';
import { historyMutants } from '../mutants/history-mutants.ts';
import { startMutant, tryMutant } from '../mutants/try-mutant.ts';
import { platen } from '../support/command-line.ts';

const CHECK = 'stateful/tags';
const [LOST_VALUE] = historyMutants().filter(({ name }) => name === 'the third value of a tag is lost');

it('finds what shows only after a history', async () => {
  for (const mutant of historyMutants()) {
    const { caughtBy } = await tryMutant(mutant);
    expect({ mutant: mutant.name, caughtBy }).toMatchObject({
      caughtBy: expect.arrayContaining([expect.stringMatching(/^stateful\//)]),
    });
  }
}, 60_000);

it('keeps the shortest sequence it found beside the other evidence, for platen replay', async () => {
  if (!LOST_VALUE) throw new Error('the mutant is gone');
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-sequence-'));
  try {
    await using broken = await startMutant(LOST_VALUE);
    const record = buildRunRecord(await runConformance({ target: broken, seed: 1, ids: [CHECK] }));
    await writeReports(record, folder);
    const file = path.join(folder, 'failures/stateful-tags/sequence.json');
    const { steps } = JSON.parse(readFileSync(file, 'utf8')) as { steps: { move: string }[] };
    expect(steps.map(({ move }) => move)).toEqual(['set', 'set', 'set']);

    const again = await runConformance({
      target: broken,
      seed: 2,
      ids: [CHECK],
      sequences: { [CHECK]: steps as never },
    });
    expect(again.outcomes[0]).toMatchObject({ verdict: 'fail', sequence: steps });
    const mended = await platen(['replay', file, '--out', path.join(folder, 'replay')]);
    expect(mended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^FIXED {2}stateful\/tags/) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 60_000);

it('has no sequence in the evidence of a check that is not stateful', async () => {
  const noop = ALL_MUTANTS.find(({ clause }) => clause === 'misc/noop-body-is-request-id');
  if (!noop) throw new Error('no mutant of GET /noop');
  const target = await startMutant(noop);
  const record = buildRunRecord(await runConformance({ target, seed: 1, ids: ['misc/noop'] }));
  await target.close();
  expect(Object.keys(renderEvidence(record))).toHaveLength(3);
});
