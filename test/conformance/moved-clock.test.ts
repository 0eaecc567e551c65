/**
 * The whole suite on a service whose clock a hook moves: the reference service in a process of its own, by the
 * descriptor of the guide, word by word.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { runConformance, type ConformanceResult } from '../../src/conformance/run/run-conformance.ts';
import { describedTarget } from '../../src/target/described.ts';
import type { Target } from '../../src/target/target.ts';
import { startWorkbench, type RunningWorkbench } from '../support/command-line.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';
import { codeBlocks, readPage } from '../support/markdown.ts';

const GUIDE = readPage('docs/guides/check-a-service.md');
const LIMIT_MS = 300_000;

let workbench: RunningWorkbench;
let folder: string;

beforeAll(async () => {
  workbench = await startWorkbench(['--clock', 'virtual']);
  folder = mkdtempSync(path.join(tmpdir(), 'platen-clock-'));
});

afterAll(async () => {
  await workbench.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function targetOfGuide(): Promise<Target> {
  const block = codeBlocks(GUIDE).find(({ lead }) => lead.endsWith('`clock.yaml`:'));
  const file = path.join(folder, 'clock.yaml');
  writeFileSync(file, block?.text ?? '');
  return describedTarget({ file, environment: {}, url: workbench.url });
}

const verdictsOf = ({ outcomes }: ConformanceResult): readonly string[] =>
  outcomes.map(({ check, verdict, message }) => `${check.id} ${verdict}${verdict === 'observed' ? '' : message}`);

async function runOn(target: Target, grep?: string): Promise<ConformanceResult> {
  const result = await runConformance({ target, seed: 1, grep });
  await target.close();
  return result;
}

it(
  'comes to the verdicts of the reference service in this process, check for check, and leaves nothing behind',
  async () => {
    const [moved, embedded] = [await runOn(await targetOfGuide()), await runOn(await startEmbeddedTarget())];
    expect(verdictsOf(moved)).toEqual(verdictsOf(embedded));
    expect(moved).toMatchObject({ exitCode: 0, leftBehind: [] });
    expect(moved.outcomes.every(({ verdict }) => verdict === 'pass' || verdict === 'observed')).toBe(true);
  },
  LIMIT_MS,
);

it(
  'does so too on a clock that goes on by itself between two moves',
  async () => {
    await fetch(`${workbench.url}/_platen/clock/resume`, { method: 'POST' });
    const { outcomes } = await runOn(
      await targetOfGuide(),
      '^(states/times|scale-(data/age|retention/)|event-delivery/)',
    );
    expect(outcomes.map(({ check, verdict, message }) => [check.id, verdict, message])).toEqual(
      outcomes.map(({ check }) => [check.id, 'pass', '']),
    );
  },
  LIMIT_MS,
);
