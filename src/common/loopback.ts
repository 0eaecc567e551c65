/**
 * Loopback: whether a host name or an address can only mean this machine, however it is resolved. A name that only begins
 * like one of loopback (`127.0.0.1.print.example`) may lead anywhere.
 */

import { isIPv4 } from 'node:net';

const LOCALHOST = /^(?:[\w-]+\.)*localhost$/i;

/** @param name - as in a Host header or a URL, without its port */
export function isLoopbackName(name: string): boolean {
  if (isIPv4(name)) return name.startsWith('127.');
  return name === '::1' || name === '[::1]' || LOCALHOST.test(name);
}

/** @param address - a URL; another text is none of this machine */
export function isLoopback(address: string): boolean {
  return isLoopbackName(URL.parse(address)?.hostname ?? '');
}
