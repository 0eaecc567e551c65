/**
 * A service that refuses a body without reading it takes the body for the beginning of the next request: that is found
 * once, where it was left, and no other check is wrong for it.
 */

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

import { expect, it } from 'vitest';

import { portOf } from '../../src/common/port-of.ts';
import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';

const NO_KEY = '{"uid":"1","code":"InvalidCredentials","message":"no key"}';

function reply(socket: Socket, status: string, headers: string, body: string): void {
  socket.write(`HTTP/1.1 ${status}\r\n${headers}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
}

/** Passes on requests with a key; refuses the others by their heads alone. */
function refuseUnread(socket: Socket, servicePort: number): void {
  const service = connect(servicePort, '127.0.0.1');
  service.pipe(socket);
  let left = '';
  let isUpgraded = false;
  const take = (bytes: number): string => {
    const taken = left.slice(0, bytes);
    left = left.slice(bytes);
    return taken;
  };
  /** Whether there was a whole one. */
  const takeRequest = (): boolean => {
    const headBytes = left.indexOf('\r\n\r\n') + 4;
    const head = left.slice(0, headBytes);
    const bytes = headBytes + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (isUpgraded || headBytes < 4) return false;
    if (!/^[A-Z]+ \S+ HTTP\/1\.1\r\n/.test(head)) {
      reply(socket, '501 No', 'Connection: close\r\nContent-Type: text/html', '<p>Unsupported method</p>');
      socket.end();
      return false;
    }
    isUpgraded = /\r\nupgrade: /i.test(head);
    if (!isUpgraded && !head.startsWith('GET /ping ') && !/\r\nauthorization: /i.test(head)) {
      take(headBytes);
      const headers = 'Request-Id: 1\r\nWWW-Authenticate: Basic realm=Api\r\nContent-Type: application/json';
      reply(socket, '401 No', headers, NO_KEY);
      return true;
    }
    if (left.length < bytes) return false;
    service.write(take(bytes), 'latin1');
    return true;
  };
  socket.on('data', (chunk) => {
    left += chunk.toString('latin1');
    while (takeRequest());
    if (isUpgraded) service.write(take(left.length), 'latin1');
  });
  for (const side of [socket, service])
    side.on('error', () => undefined).on('close', () => [socket, service].map((one) => one.destroy()));
}

it('names the request whose body was left, and blames no other', { timeout: 60_000 }, async () => {
  const service = await startEmbeddedTarget();
  const proxy = createServer((socket) => refuseUnread(socket, Number(new URL(service.baseUrl).port)));
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const target = { ...service, kind: 'remote', baseUrl: `http://127.0.0.1:${portOf(proxy)}` } as const;
  try {
    const { outcomes, deviations } = await runConformance({ target, seed: 1, grep: '^matrix/credentials$' });
    const bad = outcomes.flatMap(({ judgements }) => judgements.filter(({ mismatch }) => mismatch));
    expect(bad.map(({ clause, mismatch }) => `${clause}: ${mismatch?.at} ${mismatch?.actual}`)).toEqual([]);
    expect(deviations.map(({ deviation }) => deviation.at)).toEqual([
      expect.stringMatching(/^the body of (POST|PUT|PATCH) \S+, which was answered with 401$/),
    ]);
  } finally {
    proxy.close();
    await service.close();
  }
});
