/** UUIDs of printers and jobs, made from their names. */

import { hash } from 'node:crypto';

import type { HardwarePrinter } from '../hardware-printer.ts';

/** The same for the same name, so that an operating system knows a printer again after a restart (RFC 9562, 5.8). */
export function uuidFor(name: string): string {
  const digits = hash('sha256', name);
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`];
  return `urn:uuid:${[...parts, digits.slice(20, 32)].join('-')}`;
}

export function printerUuid({ computer, key, name }: HardwarePrinter): string {
  return uuidFor(`${computer}/${key}/${name}`);
}
