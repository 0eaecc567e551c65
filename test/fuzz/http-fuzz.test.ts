/**
 * The short form of the fuzz run; the long one is `node test/fuzz/http-fuzz.ts`.
 */

import { describe, expect, it } from 'vitest';

import { createRandom } from '../../src/common/random.ts';
import { runService } from '../support/running-service.ts';
import { ScriptedComputer } from '../support/scripted-computer.ts';
import { fuzz } from './fuzz-client.ts';
import { fuzzRequest } from './fuzz-request.ts';

const REQUESTS = 600;

describe('the service under odd, broken and hostile requests', () => {
  it('answers each with an ordinary status, or ends the connection', { timeout: 60_000 }, async () => {
    await using service = await runService();
    await (await ScriptedComputer.connect(service.url))[Symbol.asyncDispose]();
    const { findings, statuses } = await fuzz({
      port: service.port,
      random: createRandom('short'),
      requests: REQUESTS,
    });
    expect(findings).toEqual([]);
    // A run that was never let in, or never refused, has tried nothing.
    expect([...statuses.keys()]).toEqual(
      expect.arrayContaining(['200', '201', '400', '401', '404', '405', '415', '431', '413']),
    );
    expect((await service.call('GET', '/noop')).status).toBe(200);
  });
});

describe('fuzz requests', () => {
  it('are the same for the same seed', () => {
    expect(firstRequests()).toEqual(firstRequests());
  });
});

function firstRequests(): string[] {
  const random = createRandom('seed');
  return Array.from({ length: 50 }, (_, index) =>
    Buffer.concat(fuzzRequest(random.stream(String(index))).pieces).toString('base64'),
  );
}
