/**
 * Hosts of the test's own: network namespaces with a cable to a bridge of this machine.
 *
 *   bridge 10.78.0.1 ─┬─ veth ── namespace north 10.78.0.2
 *                     └─ veth ── namespace south 10.78.0.3
 */

import { execFileSync } from 'node:child_process';
import { soon } from '../../support/soon.ts';

const BRIDGE = 'platen-br';
export const BRIDGE_ADDRESS = '10.78.0.1';

export interface Host {
  /** The namespace of its network. */
  readonly namespace: string;
  readonly address: string;
}

export function addHosts(names: readonly string[]): readonly Host[] {
  removeHosts(names);
  ip('link', 'add', BRIDGE, 'type', 'bridge');
  ip('address', 'add', `${BRIDGE_ADDRESS}/24`, 'dev', BRIDGE);
  ip('link', 'set', BRIDGE, 'up');
  return names.map((name, index) => {
    const namespace = namespaceOf(name);
    const address = `10.78.0.${index + 2}`;
    ip('netns', 'add', namespace);
    ip('link', 'add', cableOf(name), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
    ip('link', 'set', cableOf(name), 'master', BRIDGE, 'up');
    ip('-n', namespace, 'address', 'add', `${address}/24`, 'dev', 'eth0');
    ip('-n', namespace, 'link', 'set', 'eth0', 'up');
    ip('-n', namespace, 'link', 'set', 'lo', 'up');
    return { namespace, address };
  });
}

/** Pulls the cable of a host. */
export function cutOff(name: string): void {
  ip('link', 'set', cableOf(name), 'down');
}

/** Plugs it in again. */
export function plugIn(name: string): void {
  ip('link', 'set', cableOf(name), 'up');
}

/** Resolves when a server can be reached from the host: a cable takes a moment until it carries. */
export async function reaches({ namespace, address }: Host, serverUrl: string): Promise<void> {
  const { hostname, port } = new URL(serverUrl);
  const connecting = ['timeout', '1', 'bash', '-c', `</dev/tcp/${hostname}/${port}`];
  await soon(
    `${address} to reach ${serverUrl}`,
    '20s',
    () => attempt('netns', 'exec', namespace, ...connecting) || undefined,
  );
}

export function removeHosts(names: readonly string[]): void {
  for (const name of names) attempt('netns', 'delete', namespaceOf(name));
  attempt('link', 'delete', BRIDGE);
}

function namespaceOf(name: string): string {
  return `platen-${name}`;
}

function cableOf(name: string): string {
  return `pl-${name}`;
}

function ip(...argv: readonly string[]): void {
  execFileSync('ip', argv, { stdio: 'pipe' });
}

/** Whether it came to that. */
function attempt(...argv: readonly string[]): boolean {
  try {
    ip(...argv);
    return true;
  } catch {
    return false;
  }
}
