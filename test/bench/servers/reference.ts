/**
 * The reference service as a process of its own, for benches: 100 printers, one key, limits off.
 *
 * Usage: node reference.ts [DATA_FILE]   prints {"url", "printerId"} when ready.
 */

import { createServer } from 'node:http';

import { systemClock } from '../../../src/common/clock.ts';
import { portOf } from '../../../src/common/port-of.ts';
import { createRandom } from '../../../src/common/random.ts';
import { attachService, serverOptions } from '../../../src/service/http/http-server.ts';
import { createService } from '../../../src/service/server.ts';
import { ScriptedComputer } from '../../support/scripted-computer.ts';

const [dataFile] = process.argv.slice(2);
const service = createService({
  clock: systemClock,
  random: createRandom(1),
  dataFile,
  limits: 'off',
  accounts: () => [
    {
      firstname: '-',
      lastname: '-',
      email: 'bench@example.test',
      creatorRef: null,
      parentId: null,
      isIntegrator: false,
      tags: {},
      apiKeys: { default: 'first-key' },
    },
  ],
  onFault: (error) => process.stderr.write(`${String(error)}\n`),
});
const server = createServer(serverOptions());
attachService(server, service);
process.on('SIGINT', () => process.exit(0));
server.listen(0, '127.0.0.1', () => void ready());

async function ready(): Promise<void> {
  const url = `http://127.0.0.1:${portOf(server)}`;
  const printers = Array.from({ length: 100 }, (_, index) => `Printer ${index + 1}`);
  const computer = await ScriptedComputer.connect(url, { printers });
  await computer[Symbol.asyncDispose]();
  process.stdout.write(`${JSON.stringify({ url })}\n`);
}
