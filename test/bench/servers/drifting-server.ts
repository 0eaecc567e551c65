/**
 * A reference service with a known drift, as a process of its own. It answers requests after HELD milliseconds.
 *
 *   none     nothing drifts
 *   leaks    keeps AMOUNT bytes more each second
 *   slows    answers later: by the share AMOUNT in an hour, evenly
 *   loses    accepts one job of AMOUNT and forgets it
 *
 * Usage: node test/bench/servers/drifting-server.ts KIND AMOUNT HELD
 */

import { createServer } from 'node:http';

import { sleep, systemClock } from '../../../src/common/clock.ts';
import { portOf } from '../../../src/common/port-of.ts';
import { createRandom } from '../../../src/common/random.ts';
import { startStopwatch } from '../../../src/common/stopwatch.ts';
import { attachService, serverOptions, type HttpFront } from '../../../src/service/http/http-server.ts';
import { createService } from '../../../src/service/server.ts';
import { forgetful } from '../../load-faults/fault-builders.ts';
import { each } from '../../load-faults/fault.ts';
import { startMeddlingProxy } from '../../mutants/meddling-proxy.ts';
import { testAccounts } from '../../support/running-service.ts';

const [kind = '', amountText = '', heldText = ''] = process.argv.slice(2);
const amount = Number(amountText);
const heldMs = Number(heldText);
const HOUR_MS = 3_600_000;

const service = createService({ clock: systemClock, random: createRandom(1), accounts: testAccounts, limits: 'off' });
const elapsedMs = startStopwatch();
const answerAfterMs = (): number => (kind === 'slows' ? heldMs * (1 + (amount * elapsedMs()) / HOUR_MS) : heldMs);

const held: HttpFront['handle'] = (request, response) => {
  if (heldMs === 0) service.handle(request, response);
  else void sleep(systemClock, answerAfterMs()).then(() => service.handle(request, response));
};

const kept: Buffer[] = [];
if (kind === 'leaks') systemClock.beat(1_000, () => kept.push(Buffer.alloc(amount, kept.length)));

const server = createServer(serverOptions());
attachService(server, {
  handle: held,
  upgrade: (...connection) => service.upgrade(...connection),
  reject: (...refused) => service.reject(...refused),
});
server.listen(0, '127.0.0.1', () => void ready(`http://127.0.0.1:${portOf(server)}`));

async function ready(own: string): Promise<void> {
  const url = kind === 'loses' ? (await startMeddlingProxy(own, forgetful(each(amount)))).url : own;
  process.send?.({ url });
}
process.on('disconnect', () => process.exit(0));
