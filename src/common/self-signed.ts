/**
 * Self-signed certificates, for servers that are to speak TLS without files of their own. A certificate is made for
 * the names that clients use; a client trusts it by taking it as its own authority.
 */

import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';

import { systemClock } from './clock.ts';

/** What a TLS server shows, and proves it by: both PEM, named as node:tls and node:https take them. */
export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;
/** Clocks of other machines may be behind this one. */
const BACKDATED_MS = DAY_MS;
/** Some systems refuse server certificates that are valid for longer than 825 days. */
const VALID_MS = 365 * DAY_MS;

const LOOPBACKS = ['127.0.0.1', '::1'];
const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Host names and addresses by which clients may reach a server. @param host - what it listens on */
export function serverNames(host: string): [string, ...string[]] {
  const own = EVERYWHERE.has(host) ? ownAddresses() : [host];
  return ['localhost', ...new Set([...LOOPBACKS, hostname(), ...own].filter((name) => name !== 'localhost'))];
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address));
}

/** @param hosts - the host names and addresses that clients use, at least one: `['localhost', '127.0.0.1']` */
export async function selfSignedCertificate(hosts: readonly [string, ...string[]]): Promise<ServerCertificate> {
  // Loaded when wanted: most programs never serve TLS.
  const { generate } = await import('selfsigned');
  const nowMs = systemClock.now();
  const { cert, private: key } = await generate(subjectOf(hosts[0]), {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(nowMs - BACKDATED_MS),
    notAfterDate: new Date(nowMs + VALID_MS),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: hosts.map(alternativeName) },
    ],
  });
  return { cert, key };
}

/** No two have one subject: a client that trusts several takes the first with the subject it looks for. */
function subjectOf(host: string): { name: string; value: string }[] {
  return [
    { name: 'commonName', value: host },
    { name: 'organizationName', value: `platen ${randomUUID()}` },
  ];
}

function alternativeName(host: string): { type: 2; value: string } | { type: 7; ip: string } {
  return isIP(host) === 0 ? { type: 2, value: host } : { type: 7, ip: host };
}
