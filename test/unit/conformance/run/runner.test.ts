import { text } from 'node:stream/consumers';

import * as fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';

import { ActionableError } from '../../../../src/common/actionable-error.ts';
import { sleep, systemClock } from '../../../../src/common/clock.ts';
import { createRandom } from '../../../../src/common/random.ts';
import type { CheckOutcome } from '../../../../src/conformance/verdict/outcome.ts';
import type { Check } from '../../../../src/conformance/check.ts';
import type { CheckContext } from '../../../../src/conformance/context/context.ts';
import { expectBody } from '../../../../src/conformance/expect/answer.ts';
import { runChecks, type RunOptions, type RunOutcome } from '../../../../src/conformance/run/runner.ts';
import { levelOf, strictLevelOf } from '../../../../src/conformance/verdict/levels.ts';
import { exitCodeOf } from '../../../../src/conformance/verdict/verdict.ts';
import { BeyondProgram } from '../../../../src/link/device-link.ts';
import { CLAUSES } from '../../../../src/specification/clauses.ts';
import type { Level } from '../../../../src/specification/clause.ts';
import type { Target } from '../../../../src/targets/target.ts';
import { targetOf } from '../../../support/odd-servers.ts';

const LEVELS: Readonly<Record<string, Level>> = { 'misc/ping': 'must', 'computers/field-jre': 'observed' };
const DIFFERENCE = { expected: 'this', actual: 'that', at: 'there' };

let target: Target | undefined;

afterEach(async () => {
  await target?.close();
  target = undefined;
});

interface Options extends Partial<RunOptions> {
  readonly inTarget?: Partial<Target>;
}

/** A run of a check on `target`; unless a test has set that, it answers everything. */
async function runAlone(check: Partial<Check>, { inTarget, ...options }: Options = {}): Promise<RunOutcome> {
  target ??= await targetOf((_, response) => response.end('{}'));
  const whole: Check = {
    id: 'some/check',
    title: 'Something holds',
    clauses: ['misc/ping'],
    needs: [],
    run: () => Promise.resolve(),
    ...check,
  };
  return runChecks({
    target: { ...target, ...inTarget },
    checks: [whole],
    random: createRandom(1),
    runTag: 'tag',
    levelOf: (clause) => LEVELS[clause] ?? 'gap',
    ...options,
  });
}

async function run(check: Partial<Check>, options?: Options): Promise<CheckOutcome> {
  const [outcome] = (await runAlone(check, options)).outcomes;
  if (!outcome) throw new Error('no outcome');
  return outcome;
}

it('does not ask for a key of what the target is declared to lack', async () => {
  const needs = ['second-account', 'websocket'] as const;
  const { verdict, message } = await run({ needs }, { inTarget: { absent: ['websocket'] } });
  expect([verdict, message]).toEqual(['not-applicable', 'the target is declared to lack: websocket']);
});

it('names the line of the descriptor with which checks print on a printer of the account', async () => {
  const inTarget = { link: undefined, unusedPrinter: 'Front desk' };
  const { verdict, message } = await run({ needs: ['printer'] }, { inTarget });
  expect(verdict).toBe('untestable');
  expect(message).toContain('`use: { printer: "Front desk" }` in the target descriptor');
});

it('passes a check that judged every clause it declares', async () => {
  const outcome = await run({ run: async ({ judge }) => void judge('misc/ping', undefined) });
  expect(outcome).toMatchObject({ verdict: 'pass', message: '' });
});

it('fails a check on a broken clause, and says which', async () => {
  const outcome = await run({ run: async ({ judge }) => void judge('misc/ping', DIFFERENCE) });
  expect(outcome).toMatchObject({ verdict: 'fail', message: 'there: expected this, got that' });
});

const hidden = (): Promise<never> => Promise.reject(new BeyondProgram('the source of a job is not seen on paper'));

it('leaves out a clause that a client program does not show, and passes nothing by that alone', async () => {
  const partly: Partial<Check> = {
    clauses: ['misc/ping', 'misc/noop'],
    run: async ({ judge, judgeIfSeen }) => {
      judge('misc/ping', undefined);
      await judgeIfSeen('misc/noop', hidden);
    },
  };
  expect(await run(partly)).toMatchObject({
    verdict: 'pass',
    notes: ['misc/noop is not judged: the source of a job is not seen on paper'],
    unseen: ['misc/noop'],
  });
  await target?.close();
  const nothing = await run({ run: ({ judgeIfSeen }) => judgeIfSeen('misc/ping', hidden) });
  expect(nothing.verdict).toBe('untestable');
});

it('only warns where the specification observed something else', async () => {
  const outcome = await run({
    clauses: ['computers/field-jre'],
    run: async ({ judge }) => void judge('computers/field-jre', DIFFERENCE),
  });
  expect(outcome.verdict).toBe('warn');
});

it('warns of a broken should, and fails it in a strict run', async () => {
  const broken: Partial<Check> = {
    clauses: ['misc/ping', 'misc/noop'],
    run: async ({ demand }) => demand('misc/ping', DIFFERENCE),
  };
  const warned = await run(broken, { levelOf: () => 'should' });
  expect(warned).toMatchObject({ verdict: 'warn', message: 'there: expected this, got that' });
  expect(exitCodeOf([warned.verdict])).toBe(0);
  await target?.close();
  const clause = CLAUSES.find(({ level }) => level === 'should')?.id ?? '';
  expect([levelOf(clause), strictLevelOf(clause)]).toEqual(['should', 'must']);
});

const WAITS_TWICE: Partial<Check> = {
  run: async ({ elapse, judge }) => {
    await elapse('10ms');
    await elapse('30ms');
    judge('misc/ping', undefined);
  },
};

it('judges no further than the target lets a check wait', async () => {
  expect((await run(WAITS_TWICE)).verdict).toBe('pass');
  await target?.close();
  const outcome = await run(WAITS_TWICE, { inTarget: { waitsMs: 35 } });
  expect(outcome).toMatchObject({ verdict: 'too-long', message: 'takes longer than the target allows: waits 35ms' });
  expect(exitCodeOf([outcome.verdict])).toBe(0);
});

it('leaves open what only time could show, unless the target declares how long it waits', async () => {
  const timed: Partial<Check> = { needs: ['virtual-clock'], run: () => Promise.reject(new Error('it ran')) };
  expect((await run(timed)).verdict).toBe('inconclusive');
  await target?.close();
  expect((await run(timed, { inTarget: { waitsMs: 60_000 } })).verdict).toBe('too-long');
});

it('calls a check that judged nothing a fault of the harness', async () => {
  const outcome = await run({});
  expect(outcome).toMatchObject({ verdict: 'harness-error', message: 'the check did not judge misc/ping' });
});

it('fails the run when a check judged one of its two clauses, though it only warns', async () => {
  for (const mismatch of [undefined, DIFFERENCE]) {
    const outcome = await run({
      clauses: ['computers/field-jre', 'misc/ping'],
      run: async ({ judge }) => void judge('computers/field-jre', mismatch),
    });
    const message = 'the check did not judge misc/ping';
    expect(outcome).toMatchObject({ verdict: 'harness-error', message });
    expect(exitCodeOf([outcome.verdict])).toBe(70);
  }
});

it('calls a check that judges what is not among its clauses a fault of the harness', async () => {
  const outcome = await run({
    run: async ({ judge }) => {
      judge('misc/ping', undefined);
      judge('misc/noop', undefined);
    },
  });
  expect(outcome.verdict).toBe('harness-error');
  expect(outcome.message).toContain('judged misc/noop, not among its clauses');
});

it('calls a check inconclusive when something beside platen and the service fails, such as a hook', async () => {
  const failure = new ActionableError('unreachable', 'the hook advanceClock failed: no answer', 'Try it alone.');
  const outcome = await run({ run: () => Promise.reject(failure) });
  expect(outcome).toMatchObject({ verdict: 'inconclusive', message: 'the hook advanceClock failed: no answer' });
});

it('calls an exception a fault of the harness, and keeps its stack', async () => {
  const outcome = await run({ run: () => Promise.reject(new TypeError('oops')) });
  expect(outcome).toMatchObject({ verdict: 'harness-error', message: 'oops' });
  expect(outcome.stack).toContain('TypeError: oops');
});

it('ends a check at the clause that it demands, with the failure of that clause', async () => {
  let wentOn = false;
  const outcome = await run({
    clauses: ['misc/ping', 'misc/noop'],
    run: async ({ demand }) => {
      demand('misc/ping', DIFFERENCE);
      wentOn = true;
    },
  });
  expect(outcome.verdict).toBe('fail');
  expect(wentOn).toBe(false);
});

it('is blocked, not failed, when something it builds on does not work', async () => {
  const outcome = await run({ run: async ({ require }) => require(DIFFERENCE) });
  expect(outcome).toMatchObject({ verdict: 'blocked', message: 'there: expected this, got that' });
});

it('blames the target for a request without an answer', async () => {
  target = await targetOf((request) => request.socket.destroy());
  const outcome = await run({ run: pingOnce });
  expect(outcome.verdict).toBe('fail');
  expect(outcome.message).toMatch(/^GET \/ping got no answer \(reset/);
});

it.each<readonly [string, Check['run']]>([
  ['a request that nothing was there to take', pingOnce],
  [
    'what did not come of a target that was not there',
    ({ demand }) => Promise.resolve(demand('misc/ping', DIFFERENCE)),
  ],
])('blames the target not for %s', async (_, check) => {
  target = await targetOf(() => undefined);
  await target.close();
  const { outcomes, lostIn } = await runAlone({ run: check }, { restartLimit: '10ms' });
  const message = 'the target went away during some/check';
  expect(outcomes).toMatchObject([{ verdict: 'blocked', message, judgements: [] }]);
  expect(lostIn).toBe('some/check');
  target = undefined;
});

async function pingOnce({ api }: CheckContext): Promise<void> {
  await api.get('/ping');
}

it('gives a check no more than its time, and lets it send nothing afterwards', async () => {
  let sent = 0;
  const slow = await targetOf((_, response) => {
    sent++;
    systemClock.schedule(30, () => response.end('{}'));
  });
  const outcome = await run({ run: pingForever }, { target: slow, checkLimit: '100ms' });
  expect(outcome).toMatchObject({ verdict: 'inconclusive' });
  expect(outcome.message).toContain('the end of some/check');
  const sentByThen = sent;
  await sleep(systemClock, 100);
  expect(sent).toBe(sentByThen);
  await slow.close();
});

async function pingForever({ api }: CheckContext): Promise<void> {
  for (;;) await api.get('/ping');
}

it.each([
  ['computer', 'untestable'],
  ['second-account', 'untestable'],
  ['virtual-clock', 'inconclusive'],
] as const)('says of a check that needs a %s, on a target without one, that it is %s', async (need, verdict) => {
  const outcome = await run({ needs: [need] });
  expect(outcome.verdict).toBe(verdict);
});

it('finds the smallest input that breaks a property, the same each time', async () => {
  const first = await run({ run: judgeSmallNumbers });
  await target?.close();
  target = undefined;
  const second = await run({ run: judgeSmallNumbers });
  expect(first.message).toBe(second.message);
  expect(first.message).toContain('with input 3');
});

async function judgeSmallNumbers({ judge, property }: CheckContext): Promise<void> {
  const inputs = fc.integer({ min: 0, max: 1_000 });
  const mismatch = await property({
    inputs,
    judge: async (input) => (input >= 3 ? { ...DIFFERENCE, actual: String(input) } : undefined),
  });
  judge('misc/ping', mismatch);
}

it('reports what had not begun when the run is interrupted', async () => {
  const outcome = await run({}, { signal: AbortSignal.abort() });
  expect(outcome).toMatchObject({ verdict: 'blocked', message: 'the run was interrupted' });
});

it.each([
  ['removes what a check made after an interruption too', 200, []],
  [
    'does not wait for a service that asks it to, after an interruption',
    429,
    ['some/check: not cleaned up: the run was interrupted'],
  ],
])('%s', async (_, status, notRemoved) => {
  let deletions = 0;
  target = await targetOf(({ method }, response) => {
    if (method === 'DELETE') deletions++;
    response.writeHead(method === 'DELETE' ? status : 200).end('{}');
  });
  const interruption = new AbortController();
  const check: Partial<Check> = {
    run: async ({ removeLater, elapse }) => {
      removeLater('/webhook/7');
      interruption.abort(new Error('interrupted'));
      await elapse('1m');
    },
  };
  const { outcomes, leftBehind } = await runAlone(check, { signal: interruption.signal });
  expect(outcomes.map(({ verdict }) => verdict)).toEqual(['blocked']);
  expect({ deletions, leftBehind }).toEqual({ deletions: 1, leftBehind: notRemoved });
});

it('says of a tag that it is still there, whatever its DELETE was answered', async () => {
  target = await targetOf((_, response) => response.end('{"Tags":{"left":"value"},"gone":null}'));
  const check: Partial<Check> = {
    run: async ({ judge, removeLater }) => {
      judge('misc/ping', undefined);
      for (const name of ['gone', 'left']) removeLater(`/account/tag/${name}`);
    },
  };
  const { leftBehind } = await runAlone(check);
  expect(leftBehind).toEqual([
    'some/check: not cleaned up: DELETE /account/tag/left was answered, and GET /whoami still shows the tag',
  ]);
});

it.each(['one-by-one', 'overlapping'] as const)('says of a run %s what its checks could not remove', async (order) => {
  target = await targetOf(({ method }, response) => response.writeHead(method === 'DELETE' ? 500 : 200).end('{}'));
  const check: Partial<Check> = {
    run: async ({ judge, removeLater }) => {
      judge('misc/ping', undefined);
      removeLater('/webhook/7');
    },
  };
  const { outcomes, leftBehind } = await runAlone(check, { order });
  expect(outcomes[0]?.notes).toEqual(['not cleaned up: DELETE /webhook/7 answered 500']);
  expect(leftBehind).toEqual(['some/check: not cleaned up: DELETE /webhook/7 answered 500']);
});

it('makes the things of a trial when the check that needs it has ended, and runs the check again', async () => {
  const log: string[] = [];
  const webhooks: object[] = [];
  target = await targetOf((request, response) => {
    log.push(`${request.method} ${request.url}`);
    const headers = { 'Content-Type': 'application/json', 'Request-Id': 'r', 'X-Account': '1' };
    void text(request).then((body) => {
      if (request.method === 'POST') webhooks.push({ ...(JSON.parse(body) as object), webhookId: 7 });
      response.writeHead(200, headers).end(JSON.stringify(request.method === 'GET' ? { data: webhooks } : webhooks));
    });
  });
  const check: Partial<Check> = {
    run: async ({ api, judge }) => {
      log.push('begins');
      const lists = [await api.get('/webhooks'), await api.get('/webhooks')];
      for (const list of lists) judge('misc/ping', expectBody(list, 'a list', Array.isArray));
      log.push('ends');
    },
  };
  expect(await run(check)).toMatchObject({ verdict: 'pass', message: '' });
  const [begun, again] = log.flatMap((line, index) => (line === 'begins' ? [index] : []));
  expect(log.slice(begun, log.indexOf('POST /webhook'))).toEqual(['begins', 'GET /webhooks']);
  expect(log.indexOf('POST /webhook')).toBeLessThan(again ?? 0);
  expect(log.slice(again, log.indexOf('ends'))).toEqual(['begins', 'GET /webhooks', 'GET /webhooks']);
});
