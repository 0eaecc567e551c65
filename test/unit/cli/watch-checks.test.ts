import { appendFileSync, mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { ActionableError } from '../../../src/common/actionable-error.ts';
import { systemClock } from '../../../src/common/clock.ts';
import { EXIT } from '../../../src/cli/exit-code.ts';
import { fixedLine, watchChecks, type CheckRound } from '../../../src/cli/watch-checks.ts';
import { filesBelow } from '../../../src/cli/watching.ts';
import type { CheckRecord, CheckRunRecord } from '../../../src/record/check-record.ts';
import { madeUpRun } from '../../support/run-records.ts';

beforeAll(() => void vi.spyOn(process.stdout, 'write').mockReturnValue(true));
afterAll(() => void vi.restoreAllMocks());

const RUN = madeUpRun({ failures: 0 });

/** A run of checks that came to these verdicts, by their ids. */
function runOf(verdicts: Readonly<Record<string, Partial<CheckRecord>>>): CheckRunRecord {
  const [template] = RUN.checks;
  if (!template) throw new Error('no check');
  return { ...RUN, checks: Object.entries(verdicts).map(([id, changes]) => ({ ...template, id, ...changes })) };
}

const FAIL = { verdict: 'fail' } as const;
const STOPPED = { verdict: 'blocked', endedBy: { kind: 'failed-enough' } } as const;
const known = { reason: 'old', owner: 'us', expires: '2999-01-01' };

it('says how many are fixed, how many are left, and how many did not run', () => {
  const { checks } = runOf({ a: FAIL, b: FAIL, c: { verdict: 'blocked' }, d: STOPPED });
  expect(fixedLine(checks, runOf({ a: {}, b: FAIL, c: {}, d: {} }))).toBe('2 fixed, 1 left.');
  expect(fixedLine(checks, runOf({ a: {}, b: { verdict: 'untestable' }, c: {}, d: {} }))).toBe('2 fixed, 0 left.');
  expect(fixedLine(checks, runOf({ a: STOPPED, b: FAIL, c: { verdict: 'warn' }, d: FAIL }))).toBe(
    '1 fixed, 2 left, 1 check not run.',
  );
});

/** Plays these rounds, a file of the folder changing between them; which ids each round was of. */
async function watched(
  ...rounds: readonly (CheckRunRecord | ActionableError)[]
): Promise<{ readonly asked: readonly (readonly string[] | undefined)[]; readonly told: readonly string[] }> {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'platen-watched-'));
  const stopped = new AbortController();
  const asked: (readonly string[] | undefined)[] = [];
  const change = (): void => writeFileSync(path.join(folder.path, 'app.py'), `${asked.length}`);
  const check = async (ids?: readonly string[]): Promise<CheckRound> => {
    asked.push(ids);
    const round = rounds[asked.length - 1];
    if (asked.length === rounds.length) stopped.abort();
    else systemClock.schedule(50, change);
    if (round === undefined || round instanceof ActionableError) throw round ?? new Error('no such round');
    return { code: EXIT.failed, record: round, place: { folder: folder.path } };
  };
  const told: string[] = [];
  const explain = ({ message }: ActionableError): void => void told.push(message);
  await watchChecks({ check, explain, stopped: stopped.signal });
  return { asked, told };
}

it('checks again what failed and is not known, with what sends what it judges, then everything', async () => {
  const first = runOf({ a: FAIL, b: {}, c: { ...FAIL, known }, d: { verdict: 'untestable' } });
  const { asked } = await watched(first, runOf({ a: {} }), runOf({ a: {} }));
  expect(asked).toEqual([undefined, ['a'], undefined]);
});

it('tells that the service does not come up, and remembers what failed', async () => {
  const down = new ActionableError('unreachable', 'it does not come up', 'Mend it.');
  const { asked, told } = await watched(runOf({ a: FAIL }), down, runOf({ a: FAIL }));
  expect(asked).toEqual([undefined, ['a'], ['a']]);
  expect(told).toContain('it does not come up');
});

it('takes its own output, written to a file in the folder, for no change', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'platen-watched-'));
  const log = path.join(folder.path, 'check.log');
  const output = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    appendFileSync(log, text);
    return true;
  });
  const stopped = new AbortController();
  let rounds = 0;
  const check = (): Promise<CheckRound> => {
    rounds++;
    systemClock.schedule(1_000, () => stopped.abort());
    return Promise.resolve({ code: EXIT.failed, record: runOf({ a: FAIL }), place: { folder: folder.path } });
  };
  await watchChecks({ check, explain: () => undefined, stopped: stopped.signal });
  output.mockReturnValue(true);
  expect(rounds).toBe(1);
});

it('ends at once where the first round cannot begin', async () => {
  const down = new ActionableError('unreachable', 'nothing listens', 'Start it.');
  await expect(watched(down)).rejects.toThrow('nothing listens');
});

it('looks at the files that a person writes, and at no folder that cannot be read', () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'platen-below-'));
  for (const name of ['src', 'node_modules', '.git']) {
    mkdirSync(path.join(folder.path, name));
    writeFileSync(path.join(folder.path, name, 'file'), '');
  }
  expect(filesBelow(folder.path)).toEqual([path.join(folder.path, 'src/file')]);
  expect(filesBelow(path.join(folder.path, 'gone'))).toEqual([]);
});
