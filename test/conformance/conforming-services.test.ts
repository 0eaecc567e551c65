/**
 * Second accounts of several kinds, and targets that lack something: no false alarm, and nothing that could not be
 * tried looks as if it had been.
 */

import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, describe, expect, it } from 'vitest';

import { sleep, systemClock } from '../../src/common/clock.ts';
import { startStopwatch } from '../../src/common/stopwatch.ts';
import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import { MovedClock } from '../../src/targets/moved-clock.ts';
import { remoteTarget } from '../../src/targets/remote.ts';
import type { Target } from '../../src/targets/target.ts';
import { start } from '../../src/workbench/start.ts';
import { startMeddlingProxy } from '../mutants/meddling-proxy.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';
import { testAccounts } from '../support/running-service.ts';

/** Single Accounts and other Integrators. */
const OF_OTHERS = '^matrix/child-of-';

let target: Target;

afterEach(() => target.close());

describe('a second account', () => {
  it('may have a scale of its own, on which something lies', async () => {
    await using workbench = await start({ port: 0, clock: 'real', limits: 'off' });
    const { apiKey } = workbench;
    const headers = { 'content-type': 'application/json' };
    const made = await fetch(`${workbench.url}/_platen/accounts`, { method: 'POST', headers, body: '{}' });
    const { apiKey: secondApiKey } = (await made.json()) as { apiKey: string };
    target = await remoteTarget({ url: workbench.url, apiKey, secondApiKey });
    const result = await runConformance({
      target,
      seed: 1,
      grep: '^(scale-websocket/apart|scales/simulated-apart)$',
    });
    expect(result.outcomes.map(({ verdict, message }) => [verdict, message])).toEqual([
      ['pass', ''],
      ['pass', ''],
    ]);
  });

  it('may be an Integrator too', async () => {
    target = await startEmbeddedTarget({
      accounts: () => testAccounts().map((account) => ({ ...account, isIntegrator: true })),
    });
    const { outcomes } = await runConformance({ target, seed: 1, grep: OF_OTHERS });
    expect(outcomes.map(({ verdict, message }) => [verdict, message])).toEqual([
      ['untestable', expect.stringMatching(/^needs a second account that is a Single Account;/)],
      ['pass', ''],
    ]);
  });

  it('that is an Integrator shows nothing of what is done for a Single Account', async () => {
    target = await startEmbeddedTarget({
      accounts: () => testAccounts().map((account) => ({ ...account, isIntegrator: true })),
    });
    const { outcomes } = await runConformance({ target, seed: 1, grep: '^matrix/single-' });
    expect(new Set(outcomes.map(({ verdict, message }) => `${verdict}: ${message}`))).toEqual(
      new Set(['untestable: needs a second account that is a Single Account']),
    );
  });

  it('that is a Child of the first shows nothing about accounts of others', async () => {
    const embedded = await startEmbeddedTarget();
    const account = { firstname: '-', lastname: '-', email: 'child@example.test', password: '12345678' };
    const made = await fetch(`${embedded.baseUrl}/account`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${embedded.apiKey}:`)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ Account: account, ApiKeys: ['second'] }),
    });
    const { ApiKeys } = (await made.json()) as { ApiKeys: { second: string } };
    target = { ...embedded, secondApiKey: ApiKeys.second };
    const { outcomes } = await runConformance({ target, seed: 1, grep: OF_OTHERS });
    const untestable = ['untestable', 'needs a second account that is not a Child of the first'];
    expect(outcomes.map(({ verdict, message }) => [verdict, message])).toEqual([untestable, untestable]);
  });
});

describe('a service', () => {
  it('may take a few seconds to believe that a computer has gone', async () => {
    const embedded = await startEmbeddedTarget();
    let goneMs: number | undefined;
    const proxy = await startMeddlingProxy(embedded.baseUrl, {
      meddle({ method, path, body }) {
        const shows = method === 'GET' && /^\/(computers|printers)\/\d+$/.test(path) && body.includes('disconnected');
        if (!shows) return undefined;
        goneMs ??= embedded.timekeeper.now();
        const isBelieved = embedded.timekeeper.now() >= goneMs + 3_000;
        return isBelieved ? undefined : { body: body.replace('disconnected', 'connected') };
      },
    });
    target = { ...embedded, baseUrl: proxy.url };
    const { outcomes } = await runConformance({ target, seed: 1, grep: '^states/computers-and-printers$' });
    await proxy.close();
    expect(outcomes.map(({ verdict, message }) => [verdict, message])).toEqual([['pass', '']]);
  });

  it('may write times that cannot be read: what it runs on is seen by whether they change', async () => {
    const realMs = startStopwatch();
    const embedded = await startEmbeddedTarget();
    const proxy = await startMeddlingProxy(embedded.baseUrl, {
      meddle: ({ path, body }) =>
        /^\/printjobs\/\d+\/states$/.test(path)
          ? {
              body: body.replaceAll(
                /"createTimestamp":"[^"]+"/g,
                `"createTimestamp":"day 7, second ${Math.floor(realMs() / 1_000)}"`,
              ),
            }
          : undefined,
    });
    const moved = new MovedClock((ms) => embedded.timekeeper.elapse(ms));
    const { clock, timekeeper } = moved;
    target = { ...embedded, baseUrl: proxy.url, clock, timekeeper, requestsPerSecond: undefined };
    const { outcomes, leftBehind } = await runConformance({ target, seed: 1, grep: '^states/times$' });
    await proxy.close();
    expect(outcomes.map(({ verdict }) => verdict)).toEqual(['untestable']);
    expect(outcomes[0]?.message).toContain('cannot be read as a time: "day 7, second');
    expect(leftBehind.join()).toContain('the moved clock: the time of a print job state cannot be read: "day 7');
    const fromMs = timekeeper.now();
    await sleep(systemClock, 20);
    expect(timekeeper.now()).toBeGreaterThan(fromMs);
    moved.close();
  });
});

describe('a target at an address', () => {
  const NEEDY = '^(events/object|scale-websocket/simulated)$';

  it('is tried whether it reaches our receiver and speaks our websocket', async () => {
    target = { ...(await startEmbeddedTarget()), kind: 'remote' };
    const result = await runConformance({ target, seed: 1, grep: NEEDY });
    expect(result.outcomes.map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
    expect(result.capabilities).toEqual(expect.arrayContaining(['webhook-receiver', 'websocket']));
  });

  it('that cannot reach our receiver leaves checks of events untestable, and says so', async () => {
    target = { ...(await startEmbeddedTarget({ forbiddenAddresses: 'private' })), kind: 'remote' };
    const { outcomes, capabilities, exitCode } = await runConformance({ target, seed: 1, grep: NEEDY });
    expect(outcomes.map(({ verdict }) => verdict)).toEqual(['untestable', 'pass']);
    expect(outcomes[0]?.message).toMatch(/must be able to reach this machine/);
    expect(capabilities).not.toContain('webhook-receiver');
    expect(exitCode).toBe(2);
  });

  it('without a scale websocket that we know leaves its checks untestable', async () => {
    const embedded = await startEmbeddedTarget();
    // It passes requests on, and no upgrade.
    const proxy = createServer((asked, reply) => {
      const { method, headers, url = '/' } = asked;
      const passed = request(embedded.baseUrl + url, { method, headers }, (answer) => {
        reply.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(reply);
      });
      asked.pipe(passed);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    target = { ...embedded, kind: 'remote', baseUrl: `http://127.0.0.1:${port}` };
    const { outcomes } = await runConformance({ target, seed: 1, grep: '^scale-websocket/simulated$' });
    proxy.close();
    expect(outcomes.map(({ verdict }) => verdict)).toEqual(['untestable']);
    expect(outcomes[0]?.message).toMatch(
      /^needs a websocket: .*\/ws\/1.*expected an upgrade, got none.*; if the service has none, add `capabilities: {websocket: false}` to the descriptor$/,
    );
  });
});
