/**
 * Service records: the resource records of announced printers, found by their names (RFC 6763).
 *
 *   _services._dns-sd._udp.local  PTR ─► _ipp._tcp.local
 *   _print._sub._ipp._tcp.local   PTR ─┐
 *   _ipp._tcp.local               PTR ─┴► Laser @ DESK._ipp._tcp.local ─► SRV, TXT ─► platen-….local ─► A
 */

import {
  encodingLength,
  type Answer,
  type NsecAnswer,
  type SrvAnswer,
  type StringAnswer,
  type TxtAnswer,
} from 'dns-packet';

import type { PrinterService } from './printer-services.ts';

export type ServiceRecord = (StringAnswer | SrvAnswer | TxtAnswer | NsecAnswer) & {
  readonly ttl: number;
  /** Set where no other machine has records of this name and type. */
  readonly flush: boolean;
};

const DOMAIN = 'local';
/** Asked by those who want to know what types of services there are. */
export const ALL_TYPES = `_services._dns-sd._udp.${DOMAIN}`;
/** RFC 6762, 10. */
const HOST_TTL_S = 120;
const OTHER_TTL_S = 4_500;
/** Fits into a frame of Ethernet. */
const MOST_BYTES = 1_440;
const LONGEST_LABEL_BYTES = 63;
const HEADER_BYTES = encodingLength({ type: 'response' });

/** As a label of DNS holds it: dots would part it. */
export function labelFor(name: string, ending: string): string {
  const plain = name.replaceAll('.', '-').trim() || 'Printer';
  const room = LONGEST_LABEL_BYTES - Buffer.byteLength(ending);
  return `${Buffer.from(plain)
    .subarray(0, room)
    .toString()
    .replace(/\uFFFD$/, '')}${ending}`;
}

export function instanceName(label: string, { type }: PrinterService): string {
  return `${label}.${type}.${DOMAIN}`;
}

/** The records of a service that are its own, of which one with its target and port. */
export function srvOf(label: string, service: PrinterService, target: string): SrvAnswer & ServiceRecord {
  const data = { port: service.port, target, priority: 0, weight: 0 };
  return { name: instanceName(label, service), type: 'SRV', ttl: HOST_TTL_S, flush: true, data };
}

export function recordsOf(label: string, service: PrinterService, target: string): ServiceRecord[] {
  const { type, subtypes, txt } = service;
  const name = instanceName(label, service);
  const names = [`${type}.${DOMAIN}`, ...subtypes.map((subtype) => `${subtype}._sub.${type}.${DOMAIN}`)];
  return [
    ...names.map((one) => pointer(one, name)),
    srvOf(label, service, target),
    { name, type: 'TXT', ttl: OTHER_TTL_S, flush: true, data: txt.length > 0 ? [...txt] : [''] },
    pointer(ALL_TYPES, `${type}.${DOMAIN}`),
  ];
}

/** The address of a machine, and that it has no other. */
export function hostRecords(name: string, address: string): ServiceRecord[] {
  const unique = { name, ttl: HOST_TTL_S, flush: true } as const;
  return [
    { ...unique, type: 'A', data: address },
    { ...unique, type: 'NSEC', data: { nextDomain: name, rrtypes: ['A'] } },
  ];
}

export function targetName(host: string, processId: number): string {
  return `platen-${host.replaceAll('.', '-')}-${processId}.${DOMAIN}`;
}

function pointer(name: string, data: string): ServiceRecord {
  return { name, type: 'PTR', ttl: OTHER_TTL_S, flush: false, data };
}

/** Whether two records say the same, except for how long. */
export function isSame(one: Answer, { name, type, data }: ServiceRecord): boolean {
  if (one.type !== type || one.name.toLowerCase() !== name.toLowerCase()) return false;
  return 'data' in one && JSON.stringify(one.data).toLowerCase() === JSON.stringify(data).toLowerCase();
}

/** Names of DNS are the same in capitals. */
export function byName(records: Iterable<ServiceRecord>): Map<string, ServiceRecord[]> {
  return Map.groupBy(records, ({ name }) => name.toLowerCase());
}

/** Records in as many messages as they need. */
export function* inMessages(records: Iterable<ServiceRecord>): Iterable<ServiceRecord[]> {
  let message: ServiceRecord[] = [];
  let bytes = HEADER_BYTES;
  for (const record of records) {
    const length = encodingLength({ type: 'response', answers: [record] }) - HEADER_BYTES;
    if (message.length > 0 && bytes + length > MOST_BYTES) {
      yield message;
      message = [];
      bytes = HEADER_BYTES;
    }
    message.push(record);
    bytes += length;
  }
  if (message.length > 0) yield message;
}
