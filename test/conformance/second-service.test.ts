/**
 * The suite against a service that shares no code with the reference service, and fills every gap otherwise.
 */

import { afterEach, expect, it } from 'vitest';

import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import type { Target } from '../../src/target/target.ts';
import { startSecondTarget } from '../support/second-target.ts';

/**
 * What is not tried on a service that might not be ours alone, and what speaks messages that no specification
 * shows.
 */
const UNTRIED = /^(cancelling\/all|matrix\/empty-sets|link\/.*|scale-websocket\/.*|gaps\/websocket-protocol)$/;

let target: Target | undefined;

afterEach(() => target?.close());

it('finds nothing wrong with a second implementation that keeps the specification', async () => {
  target = await startSecondTarget();
  const { outcomes, exitCode } = await runConformance({ target, seed: 1 });
  const others = outcomes.filter(
    ({ check, verdict }) => verdict !== 'pass' && verdict !== 'observed' && !UNTRIED.test(check.id),
  );
  expect(others.map(({ check, verdict, message }) => `${check.id} ${verdict}: ${message}`)).toEqual([]);
  expect(outcomes.map(({ verdict }) => verdict)).not.toContain('fail');
  // Nothing failed, and not everything could be tried.
  expect(exitCode).toBe(2);
}, 120_000);
