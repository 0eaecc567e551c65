import { expect, it } from 'vitest';

import { openOutsideRoom } from '../../../../src/load/room/outside-room.ts';
import { LoadAccount } from '../../../../src/load/traffic/load-account.ts';
import { Ledger } from '../../../../src/oracle/ledger.ts';
import type { LedgerClass } from '../../../../src/record/words.ts';
import { embeddedTarget } from '../../../../src/targets/embedded.ts';
import type { ServiceClient } from '../../../../src/targets/service-client.ts';
import { loadScenario, submissions } from '../../../support/load-scenario.ts';
import { runShardHere } from '../../../support/shard-run.ts';
import { connectDesk } from '../../../support/service-room.ts';

const JOB = { intendedUs: 0, account: 0, printer: 0, document: 0, copies: 1 };

/** What a service says of its one job. */
interface Word {
  readonly status: number;
  readonly states?: readonly string[];
}

function sayingOf(jobs: Readonly<Record<number, Word>>): Pick<ServiceClient, 'listAll' | 'trySend'> {
  return {
    listAll: () => Promise.resolve([{ id: 7, name: 'Office' }]),
    trySend: ({ path }) => {
      const ids = path.split('/')[2]?.split(',').map(Number) ?? [];
      const words = ids.map((id) => jobs[id] ?? { status: 404 });
      const status = words.find((word) => word.status !== 200)?.status ?? 200;
      const value = words.map(({ states = [] }, at) => states.map((state) => ({ printJobId: ids[at], state })));
      return Promise.resolve({ ok: true, value: { status, value, header: () => undefined } });
    },
  };
}

it.each<readonly [LedgerClass, string, Word]>([
  ['said-done', 'done', { status: 200, states: ['new', 'sent_to_client', 'done'] }],
  ['said-failed', 'failed', { status: 200, states: ['new', 'error'] }],
  ['expired', 'expired', { status: 200, states: ['new', 'expired'] }],
  ['said-waiting', 'on its way', { status: 200, states: ['new', 'of a later version'] }],
  ['said-waiting', 'nothing readable', { status: 500 }],
  ['lost', 'not to know it', { status: 404 }],
  ['lost', 'no state of it', { status: 200, states: [] }],
])('counts a job as %s of which the service says: %s', async (name, _what, word) => {
  const ledger = new Ledger();
  for (const id of [501, 502]) ledger.accepted(ledger.intend(JOB), id, 1_000);
  const client = sayingOf({ 501: { status: 200, states: ['new', 'done'] }, 502: word });
  const accounts = new Map([[0, new LoadAccount(0, 'key', null)]]);
  const room = await openOutsideRoom({
    client: client as ServiceClient,
    chaos: [],
    accounts,
    usePrinter: 'Office',
    ledger,
    webhooks: undefined,
    service: undefined,
    sinceStartUs: () => 2_000,
  });
  room.drain();
  await room.close();
  ledger.drained();
  expect({ id: accounts.get(0)?.printers[0]?.id, class: ledger.classOf(1) }).toEqual({ id: 7, class: name });
});

it('accounts for jobs and events of a printer that somebody else runs', async () => {
  const target = await embeddedTarget({ clock: 'real' });
  const theirs = await connectDesk(target.baseUrl, target.apiKey);
  const scenario = loadScenario({
    accounts: 1,
    webhooks: { receiver: { answers: 'ok', delayMs: 0 }, outage: null },
    streams: [{ ...submissions('jobs', 0, 8, 1_000), accounts: { first: 0, last: 0 } }],
  });
  const { record } = await runShardHere(scenario, target.baseUrl, { apiKey: target.apiKey, usePrinter: 'Laser' });
  await theirs.close();
  await target.close();
  expect(record.ledger.totals.classes).toMatchObject({ 'said-done': 8, lost: 0, 'delivered-once': 0 });
  expect(record.webhooks?.classes).toMatchObject({ delivered: 24, lost: 0, early: 0 });
}, 30_000);
