/**
 * Loopback name: whether a host name or address can only mean this machine, however it is resolved.
 */

import { isIPv4 } from 'node:net';

const LOCALHOST = /^(?:[\w-]+\.)*localhost$/i;

/** @param name - as in a Host header or a URL, without its port */
export function isLoopbackName(name: string): boolean {
  if (isIPv4(name)) return name.startsWith('127.');
  return name === '::1' || name === '[::1]' || LOCALHOST.test(name);
}
