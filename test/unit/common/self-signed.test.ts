import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get } from 'node:https';

import { afterEach, describe, expect, test } from 'vitest';

import { messageOf } from '../../../src/common/error-message.ts';
import { portOf } from '../../../src/common/port-of.ts';
import { selfSignedCertificate, type ServerCertificate } from '../../../src/common/self-signed.ts';

describe('selfSignedCertificate', () => {
  const cleanups: (() => void)[] = [];
  afterEach(() => cleanups.splice(0).forEach((cleanup) => cleanup()));

  async function serve(certificate: ServerCertificate): Promise<number> {
    const server = createServer(certificate, (_, response) => response.end('here'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(() => server.close());
    return portOf(server);
  }

  test('makes a certificate that a client takes when it is given it as its authority', async () => {
    const made = await selfSignedCertificate(['localhost', '127.0.0.1', '::1']);
    const port = await serve(made);
    expect(await statusAt(`https://127.0.0.1:${port}/`, made.cert)).toBe(200);
    expect(await statusAt(`https://localhost:${port}/`, made.cert)).toBe(200);
  });

  test('makes one that no client takes by itself, and none takes for another host', async () => {
    const made = await selfSignedCertificate(['printer.example']);
    const port = await serve(made);
    expect(await statusAt(`https://127.0.0.1:${port}/`)).toContain('self-signed');
    expect(await statusAt(`https://127.0.0.1:${port}/`, made.cert)).toContain(
      "IP: 127.0.0.1 is not in the cert's list",
    );
  });

  test('makes another one each time, valid from yesterday for a year', async () => {
    const [one, other] = await Promise.all([
      selfSignedCertificate(['localhost']),
      selfSignedCertificate(['localhost']),
    ]);
    const { validFromDate, validToDate, serialNumber, subjectAltName } = new X509Certificate(one.cert);
    expect(subjectAltName).toBe('DNS:localhost');
    expect(serialNumber).not.toBe(new X509Certificate(other.cert).serialNumber);
    expect(Math.round((validToDate.getTime() - validFromDate.getTime()) / 86_400_000)).toBe(366);
  });
});

async function statusAt(url: string, ca?: string): Promise<number | undefined | string> {
  const request = get(url, { ca, agent: false });
  return once(request, 'response').then(([response]) => (response as { statusCode: number }).statusCode, messageOf);
}
