/**
 * The suite against a service that shares no code with the reference service, and fills every gap otherwise.
 */

import { afterEach, expect, it } from 'vitest';

import { runConformance } from '../../src/conformance/run-conformance.ts';
import type { Target } from '../../src/target/target.ts';
import { startSecondTarget } from '../support/second-target.ts';

let target: Target | undefined;

afterEach(() => target?.close());

it('finds nothing wrong with a second implementation that keeps the specification', async () => {
  target = await startSecondTarget();
  const { outcomes, exitCode } = await runConformance({ target, seed: 1 });
  const others = outcomes.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed');
  expect(others.map(({ check, verdict, message }) => `${check.id} ${verdict}: ${message}`)).toEqual([]);
  expect(exitCode).toBe(0);
}, 60_000);
