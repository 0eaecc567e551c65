/**
 * Targets that are anything but a service of this kind: a full report, the target blamed, no crash, no hang.
 */

import type { RequestListener } from 'node:http';

import { afterEach, expect, it } from 'vitest';

import { createRandom } from '../../src/common/random.ts';
import type { CheckOutcome } from '../../src/conformance/verdict/outcome.ts';
import { levelOf } from '../../src/conformance/verdict/levels.ts';
import { CHECKS } from '../../src/conformance/registry.ts';
import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import { runChecks } from '../../src/conformance/run/runner.ts';
import type { Target } from '../../src/targets/target.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';
import { targetOf } from '../support/odd-servers.ts';

let target: Target | undefined;

afterEach(() => target?.close());

async function outcomesOf(listener: RequestListener): Promise<readonly CheckOutcome[]> {
  target = await targetOf(listener);
  const { outcomes } = await runChecks({
    target,
    checks: CHECKS,
    random: createRandom(1),
    runTag: 'odd',
    levelOf,
    requestLimit: '200ms',
  });
  return outcomes;
}

function idsWith(outcomes: readonly CheckOutcome[], ...verdicts: readonly string[]): readonly string[] {
  return outcomes.filter(({ verdict }) => verdicts.includes(verdict)).map(({ check }) => check.id);
}

it('fails a server that answers {} to everything, by name and without a crash', async () => {
  target = await targetOf((_, response) => response.end('{}'));
  const result = await runConformance({ target, seed: 1 });
  expect(result.exitCode).toBe(1);
  const failed = idsWith(result.outcomes, 'fail');
  expect(failed).toEqual(expect.arrayContaining(['misc/noop', 'authentication/missing', 'every-record/accounts']));
  expect(failed).toContain('every-response/content-type');
  expect(
    idsWith(result.outcomes, 'harness-error', 'inconclusive').filter((id) => !/day|times|default$/.test(id)),
  ).toEqual([]);
});

it('fails a server that answers arrays in each other without end', async () => {
  target = await targetOf((_, response) => response.end('['.repeat(100_000) + ']'.repeat(100_000)));
  const { outcomes, exitCode } = await runConformance({ target, seed: 1, grep: '^(misc|paging|api-keys)/' });
  expect(exitCode).toBe(1);
  expect(idsWith(outcomes, 'harness-error')).toEqual([]);
});

it('says of a target without a link that checks with computers could not be tried', async () => {
  target = await targetOf((_, response) => response.end('{}'));
  const { outcomes } = await runConformance({ target, seed: 1, grep: '^print-jobs/(created|delivered-whole)$' });
  expect(outcomes.map(({ verdict, message }) => `${verdict}: ${message}`)).toEqual([
    'untestable: needs a printer, and the target has neither a link nor `use: {printer: …}`',
    'untestable: needs a computer, and the target has no link; `link:` or `client:` in its descriptor gives it one',
  ]);
});

it('fails a web site', async () => {
  const outcomes = await outcomesOf((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><p>Hello');
  });
  expect(idsWith(outcomes, 'fail').length).toBeGreaterThan(10);
  expect(idsWith(outcomes, 'harness-error')).toEqual([]);
});

it('blames a server that stops answering once, and does not wait for it again and again', async () => {
  const outcomes = await outcomesOf(() => undefined);
  // Those that were under way at the same time.
  const failed = idsWith(outcomes, 'fail');
  expect(failed).toHaveLength(2);
  expect(outcomes[0]?.message).toContain('GET /ping got no answer (timeout');
  const blocked = outcomes.filter(({ verdict }) => verdict === 'blocked');
  expect(blocked.length + outcomes.filter(({ verdict }) => verdict === 'untestable').length).toBe(CHECKS.length - 2);
  const messages = new Set(blocked.map(({ message }) => message));
  expect(failed.map((id) => `the target stopped answering during ${id}`)).toContain([...messages][0]);
});

it('blames a server that resets connections', async () => {
  const outcomes = await outcomesOf((request) => request.socket.destroy());
  expect(outcomes[0]).toMatchObject({ verdict: 'fail', message: expect.stringContaining('(reset') });
  expect(idsWith(outcomes, 'harness-error', 'pass')).toEqual([]);
});

it('goes on where a server only now and then gives no answer', async () => {
  let requests = 0;
  const outcomes = await outcomesOf((request, response) => {
    requests++;
    if (requests % 7 === 0) request.socket.destroy();
    else response.end('{}');
  });
  const unanswered = outcomes.filter(({ message }) => message.includes('got no answer'));
  expect(unanswered.length).toBeGreaterThan(2);
  expect(idsWith(outcomes, 'harness-error')).toEqual([]);
});

it('judges nothing of a target that goes away in the middle but what it had answered', async () => {
  const dying = await startEmbeddedTarget();
  const { outcomes, lostIn, leftBehind } = await runChecks({
    target: dying,
    checks: CHECKS,
    random: createRandom(1),
    runTag: 'dying',
    levelOf,
    requestLimit: '1s',
    restartLimit: '1s',
    onCheckEnded: (_, position) => {
      if (position === 6) void dying.close();
    },
  });
  expect(outcomes).toHaveLength(CHECKS.length);
  expect(idsWith(outcomes.slice(0, 6), 'pass')).toHaveLength(6);
  expect(lostIn).toBe(outcomes[6]?.check.id);
  const message = `the target went away during ${lostIn}`;
  expect(new Set(outcomes.slice(6).map((outcome) => `${outcome.verdict}: ${outcome.message}`))).toEqual(
    new Set([`blocked: ${message}`]),
  );
  expect(outcomes.slice(6).flatMap(({ judgements }) => judgements)).toEqual([]);
  expect(leftBehind).toEqual(['not cleaned up: what checks had made until the target went away']);
}, 30_000);
