/**
 * Planted service: the reference service on real time with several clauses broken, as a process of its own. It sends
 * its parent its address once it is ready, and ends with it.
 *
 *   explore ══► proxy (requests and answers of mutants) ══► service (rules of mutants)
 */

import { once } from 'node:events';
import { createServer } from 'node:http';

import { systemClock } from '../../src/common/clock.ts';
import { portOf } from '../../src/common/port-of.ts';
import { createRandom } from '../../src/common/random.ts';
import { attachService, serverOptions } from '../../src/service/http/http-server.ts';
import { createService } from '../../src/service/server.ts';
import { ALL_MUTANTS } from '../mutants/catalogue.ts';
import { startMeddlingProxy } from '../mutants/meddling-proxy.ts';
import { FIRST_KEY, SECOND_KEY, testAccounts } from '../support/running-service.ts';

export interface PlantedReply {
  readonly url: string;
  readonly apiKey: string;
  readonly secondApiKey: string;
}

/** By their names; each is broken in a place of its own. */
const planted = process.argv.slice(2).map((wanted) => {
  const mutant = ALL_MUTANTS.find(({ name }) => name === wanted);
  if (!mutant) throw new Error(`there is no mutant '${wanted}'`);
  return mutant;
});

// Without its parent it has no one to serve.
process.on('disconnect', () => process.exit());
process.send?.({ url: await serve(), apiKey: FIRST_KEY, secondApiKey: SECOND_KEY } satisfies PlantedReply);

async function serve(): Promise<string> {
  const service = createService({
    clock: systemClock,
    random: createRandom(1),
    accounts: testAccounts,
    limits: 'spec',
    rules: Object.assign({}, ...planted.map(({ rules }) => rules)) as object,
  });
  const server = createServer(serverOptions());
  attachService(server, service);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  let url = `http://127.0.0.1:${portOf(server)}`;
  for (const mutant of planted) if (mutant.rewrite ?? mutant.meddle) url = (await startMeddlingProxy(url, mutant)).url;
  return url;
}
