/**
 * Runs a load against a service with one fault, or with none, and says what it found.
 *
 *   reference service (rules replaced) ◄─ proxy (rewrite, meddle) ◄─ load: a shard, as in any run
 *                                      ◄─ meddled link ◄──────────── its room
 */

import { once } from 'node:events';
import { createServer } from 'node:http';

import { systemClock } from '../../src/common/clock.ts';
import { FaultPlan } from '../../src/common/fault-plan.ts';
import { portOf } from '../../src/common/port-of.ts';
import { createRandom } from '../../src/common/random.ts';
import { FORGET_JOB } from '../../src/devices/computer/crash-points.ts';
import { webSocketLink } from '../../src/link/websocket-link.ts';
import { mergeLoadRecords } from '../../src/load/merge.ts';
import type { LoadScenario } from '../../src/load/plan/load-scenario.ts';
import type { LoadRecord } from '../../src/record/load-record.ts';
import { BAD_LEDGER_CLASSES, BAD_STRAYS, BAD_WEBHOOK_CLASSES } from '../../src/record/words.ts';
import { attachService, serverOptions } from '../../src/service/http/http-server.ts';
import { createService } from '../../src/service/server.ts';
import { startMeddlingProxy } from '../mutants/meddling-proxy.ts';
import { loadScenario, madeDocument, shops, submissions } from '../support/load-scenario.ts';
import { FIRST_KEY, testAccounts } from '../support/running-service.ts';
import { runShardHere } from '../support/shard-run.ts';
import type { LoadFault } from './fault.ts';
import { meddledLink } from './meddled-link.ts';

export interface FaultRun {
  readonly jobs: number;
  /** What was found, such as `ledger lost`, with its count. Empty for a sound service. */
  readonly findings: ReadonlyMap<string, number>;
}

/** No fault at all, under the same load. */
export function soundTwin({ scenario, limits, forgetful }: LoadFault): LoadFault {
  return {
    name: 'none',
    caughtAs: '',
    ...(scenario && { scenario }),
    ...(limits && { limits }),
    ...(forgetful && { forgetful }),
  };
}

/** A second of traffic over two accounts, with every kind of job. */
function usualLoad(): LoadScenario {
  return loadScenario({
    accounts: 2,
    computers: shops(6),
    documents: [madeDocument('invoice', 'pdf', 2_000), madeDocument('label', 'raw', 200)],
    streams: [submissions('invoices', 0, 60, 1_500), submissions('labels', 1, 60, 1_500)],
    webhooks: { receiver: { answers: 'ok', delayMs: 0 }, outage: null },
    timeoutMs: 5_000,
    drainMs: 4_000,
  });
}

export async function runFault(fault: LoadFault): Promise<FaultRun> {
  const scenario: LoadScenario = { ...usualLoad(), ...fault.scenario };
  await using service = await startBroken(fault);
  const proxy = await startMeddlingProxy(service.url, { rewrite: fault.rewrite, meddle: fault.meddle });
  const faults = new FaultPlan(systemClock, createRandom(1));
  if (fault.forgetful) faults.add({ at: 'computer', fault: FORGET_JOB });
  const link = webSocketLink({ clock: systemClock });
  try {
    const { record } = await runShardHere(scenario, proxy.url, {
      apiKey: FIRST_KEY,
      link: fault.link ? meddledLink(link, fault.link) : link,
      faults,
    });
    const whole = mergeLoadRecords([{ record }]);
    return { jobs: record.ledger.totals.intents, findings: findingsOf(whole) };
  } finally {
    await proxy.close();
  }
}

/** Everything in a record that a sound service leaves empty. */
export function findingsOf({ ledger: { totals }, webhooks, thresholds }: LoadRecord): ReadonlyMap<string, number> {
  const found: [string, number][] = [
    ...BAD_LEDGER_CLASSES.map((name): [string, number] => [`ledger ${name}`, totals.classes[name]]),
    ['ledger unreported', totals.unreported],
    ['ledger clashes', totals.clashes],
    ...(webhooks ? BAD_WEBHOOK_CLASSES : []).map((name): [string, number] => [
      `webhooks ${name}`,
      webhooks?.classes[name] ?? 0,
    ]),
    ...(webhooks ? BAD_STRAYS : []).map((kind): [string, number] => [`webhooks ${kind}`, webhooks?.strays[kind] ?? 0]),
    ...(webhooks?.reconciliation ?? []).map(({ counter, agrees }): [string, number] => [
      `counter ${counter}`,
      Number(!agrees),
    ]),
    ...thresholds.map(({ text, kept }): [string, number] => [`threshold ${text}`, Number(!kept)]),
  ];
  return new Map(found.filter(([, count]) => count > 0));
}

async function startBroken({ rules, limits }: LoadFault): Promise<{ readonly url: string } & AsyncDisposable> {
  const service = createService({
    clock: systemClock,
    random: createRandom(1),
    accounts: testAccounts,
    limits: limits ?? 'off',
    ...(rules && { rules }),
  });
  const server = createServer(serverOptions());
  attachService(server, service);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    async [Symbol.asyncDispose]() {
      service.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
