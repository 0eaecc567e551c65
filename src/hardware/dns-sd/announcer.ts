/**
 * Announcer: tells a link of the printers of a room, and answers what it is asked about them (RFC 6762, 6763).
 *
 *   add ─► probe three times ─► announce twice ─► answer queries ─► remove: goodbye
 *             │    ▲                                   │
 *             │    └───── another machine has the name ┘
 *             └─► taken: the next name, as "Laser @ DESK (2)"
 *
 * It speaks on the link of one address alone, and gives out no other. A printer that is switched off answers nothing.
 */

import type { RemoteInfo } from 'node:dgram';

import {
  AUTHORITATIVE_ANSWER,
  type Answer,
  type DecodedPacket,
  type Packet,
  type Question,
  type SrvAnswer,
  type SrvData,
} from 'dns-packet';

import { sleep, systemClock, type Timer } from '../../common/clock.ts';
import { createRandom } from '../../common/random.ts';
import type { HardwarePrinter } from '../hardware-printer.ts';
import type { PortAddress } from '../tcp-port.ts';
import { MulticastPort } from './multicast-port.ts';
import { servicesOf, type AnnouncedUris, type PrinterService } from './printer-services.ts';
import {
  ALL_TYPES,
  byName,
  hostRecords,
  inMessages,
  instanceName,
  isSame,
  labelFor,
  recordsOf,
  srvOf,
  targetName,
  type ServiceRecord,
} from './service-records.ts';

/** A printer under the name that it has, or tries to get. */
interface Announced {
  readonly printer: HardwarePrinter;
  readonly services: readonly PrinterService[];
  label: string;
  state: 'probing' | 'announced' | 'gone';
  /** Another machine was seen with the name, or wants it and goes before. */
  isContested: boolean;
  records: readonly ServiceRecord[];
  again?: Timer;
}

/** RFC 6762, 8.1: how often it asks for a name, and how long it waits for an objection. */
const PROBES = 3;
const PROBE_EVERY_MS = 250;
/** A link where more names than this are taken does not want the printer. */
const MOST_NAMES = 20;
const ANNOUNCE_AGAIN_MS = 1_000;
/** RFC 6762, 6: how soon a record may be sent again; of a name that another machine probes sooner. */
const REPEAT_MS = { query: 1_000, probe: 250 };
/** Where others may answer as well, answers are spread. */
const SPREAD_MS = [20, 120] as const;
/** Clients that are not of multicast DNS cache no longer (RFC 6762, 6.7). */
const LEGACY_TTL_S = 10;

export class Announcer {
  readonly #target: string;
  readonly #hostRecords: readonly ServiceRecord[];
  readonly #random = createRandom(process.pid).stream('dns-sd');
  readonly #announced = new Map<HardwarePrinter, Announced>();
  readonly #sentMs = new WeakMap<ServiceRecord, number>();
  readonly #printerOf = new WeakMap<ServiceRecord, HardwarePrinter>();
  readonly #claims = new Set<Promise<void>>();
  readonly #ended = new AbortController();
  #port: MulticastPort | undefined;
  #byName: ReadonlyMap<string, readonly ServiceRecord[]> | undefined;

  private constructor(host: string) {
    this.#target = targetName(host, process.pid);
    this.#hostRecords = hostRecords(this.#target, host);
  }

  /** Resolves when it listens. Rejects as sockets do. */
  static async start({ host, port }: PortAddress & { readonly host: string }): Promise<Announcer> {
    const announcer = new Announcer(host);
    const onMessage = (message: DecodedPacket, peer: RemoteInfo): void => announcer.#received(message, peer);
    announcer.#port = await MulticastPort.open({ host, port, onMessage });
    return announcer;
  }

  get port(): number {
    return this.#port?.number ?? 0;
  }

  add(printer: HardwarePrinter, uris: AnnouncedUris): void {
    const services = servicesOf(printer, uris);
    const label = this.#nextLabel(printer);
    const announced: Announced = { printer, services, label, state: 'probing', isContested: false, records: [] };
    this.#announced.set(printer, announced);
    this.#startClaim(announced);
  }

  /** Takes a printer off the link. */
  remove(printer: HardwarePrinter): void {
    const announced = this.#announced.get(printer);
    if (!announced) return;
    this.#announced.delete(printer);
    this.#byName = undefined;
    this.#sayGoodbye([announced]);
    announced.state = 'gone';
    announced.again?.cancel();
  }

  /** Resolves when every printer has a name that no other machine has, or was given up. */
  async settled(): Promise<void> {
    while (this.#claims.size > 0) await Promise.all(this.#claims);
  }

  /** As CUPS takes it; undefined for a printer that got no name. */
  uriOf(printer: HardwarePrinter): string | undefined {
    const announced = this.#announced.get(printer);
    const [service] = announced?.services ?? [];
    if (!announced || !service) return undefined;
    return `dnssd://${encodeURIComponent(announced.label)}.${service.type}.local/`;
  }

  async close(): Promise<void> {
    const all = [...this.#announced.values()];
    this.#announced.clear();
    this.#byName = undefined;
    this.#ended.abort();
    this.#sayGoodbye(all);
    for (const announced of all) {
      announced.state = 'gone';
      announced.again?.cancel();
    }
    await this.settled();
    await this.#port?.close();
  }

  #startClaim(announced: Announced): void {
    const claim = this.#claim(announced)
      // Closed in the meantime.
      .catch(() => undefined)
      .finally(() => this.#claims.delete(claim));
    this.#claims.add(claim);
  }

  async #claim(announced: Announced): Promise<void> {
    announced.state = 'probing';
    announced.records = [];
    this.#byName = undefined;
    for (let names = 1; !(await this.#isFree(announced)); names++) {
      if (names === MOST_NAMES) return void this.#announced.delete(announced.printer);
      announced.label = this.#nextLabel(announced.printer, announced.label);
    }
    if (announced.state !== 'probing') return;
    const { label, services } = announced;
    announced.state = 'announced';
    announced.records = services.flatMap((service) => recordsOf(label, service, this.#target));
    for (const record of announced.records)
      if (record.name !== ALL_TYPES) this.#printerOf.set(record, announced.printer);
    this.#byName = undefined;
    this.#announce(announced);
    announced.again = systemClock.schedule(ANNOUNCE_AGAIN_MS, () => this.#announce(announced));
  }

  async #isFree(announced: Announced): Promise<boolean> {
    announced.isContested = false;
    const { label, services } = announced;
    const authorities = services.map((service) => srvOf(label, service, this.#target));
    // Asks for each name: its holder has its SRV record.
    const questions = authorities.map(({ name }) => ({ name, type: 'SRV' }) as const);
    for (let probe = 1; probe <= PROBES; probe++) {
      this.#port?.multicast({ type: 'query', questions, authorities });
      await sleep(systemClock, PROBE_EVERY_MS, this.#ended.signal);
      if (announced.isContested) return false;
    }
    return true;
  }

  /** The first name of a printer that no other of the room has, after one that is taken. */
  #nextLabel({ name, computer }: HardwarePrinter, after?: string): string {
    const taken = new Set([...this.#announced.values()].map(({ label }) => label.toLowerCase()));
    let isPast = after === undefined;
    for (let count = 1; ; count++) {
      const label = labelFor(`${name} @ ${computer}`, count === 1 ? '' : ` (${count})`);
      if (isPast && !taken.has(label.toLowerCase())) return label;
      isPast ||= label === after;
    }
  }

  #announce({ records, printer }: Announced): void {
    if (printer.isSwitchedOff) return;
    this.#multicast([...records, ...this.#hostRecords]);
  }

  /** Names, not types: other machines may have printers of these. */
  #sayGoodbye(some: readonly Announced[]): void {
    const records = some.flatMap(({ records: own, services, label }) => {
      const names = new Set(services.map((service) => instanceName(label, service)));
      return own.filter(({ name, data }) => names.has(name) || (typeof data === 'string' && names.has(data)));
    });
    this.#multicast(records.map((record) => ({ ...record, ttl: 0 })));
  }

  #multicast(records: readonly ServiceRecord[]): void {
    const nowMs = systemClock.now();
    for (const record of records) this.#sentMs.set(record, nowMs);
    for (const answers of inMessages(records)) {
      this.#port?.multicast({ type: 'response', flags: AUTHORITATIVE_ANSWER, answers });
    }
  }

  #received(message: DecodedPacket, peer: RemoteInfo): void {
    const { questions = [], answers = [], authorities = [], additionals = [] } = message;
    if (message.type === 'response') return this.#compare([...answers, ...additionals]);
    this.#giveWay(authorities);
    const wanted = new Set(questions.flatMap((question) => this.#answersTo(question)));
    const unknown = [...wanted].filter(
      (record) =>
        !answers.some((known) => isSame(known, record) && 'ttl' in known && (known.ttl ?? 0) > record.ttl / 2),
    );
    if (unknown.length === 0) return;
    if (peer.port !== this.port) this.#reply(message, questions, unknown, peer);
    else void this.#answer(unknown, authorities.length > 0 ? REPEAT_MS.probe : REPEAT_MS.query);
  }

  #answersTo({ name, type }: Question): readonly ServiceRecord[] {
    const asked: string = type;
    // There is one address, of version 4: this says so to a peer that asks for another.
    const types = asked === 'AAAA' ? ['NSEC'] : [asked];
    const found = (this.#index().get(name.toLowerCase()) ?? []).filter((record) => !this.#isSilent(record));
    return asked === 'ANY' ? found : found.filter((record) => types.includes(record.type));
  }

  #index(): ReadonlyMap<string, readonly ServiceRecord[]> {
    return (this.#byName ??= byName(this.#spoken()));
  }

  #isSilent(record: ServiceRecord): boolean {
    return this.#printerOf.get(record)?.isSwitchedOff === true;
  }

  /** The records of all printers, each type of service once. */
  *#spoken(): Iterable<ServiceRecord> {
    const types = new Set<unknown>();
    yield* this.#hostRecords;
    for (const { records } of this.#announced.values()) {
      for (const record of records) {
        const isType = record.name === ALL_TYPES;
        if (isType && types.has(record.data)) continue;
        if (isType) types.add(record.data);
        yield record;
      }
    }
  }

  async #answer(wanted: readonly ServiceRecord[], repeatMs: number): Promise<void> {
    const nowMs = systemClock.now();
    const due = wanted.filter((record) => nowMs - (this.#sentMs.get(record) ?? 0) >= repeatMs);
    for (const record of due) this.#sentMs.set(record, nowMs);
    if (due.some(({ flush }) => !flush)) await sleep(systemClock, this.#random.integer(...SPREAD_MS));
    if (this.#ended.signal.aborted) return;
    const [first = [], ...rest] = inMessages(due);
    this.#respond(first, rest.length === 0 ? this.#additionalsOf(first) : []);
    for (const answers of rest) this.#respond(answers, []);
  }

  #respond(answers: readonly ServiceRecord[], additionals: readonly ServiceRecord[]): void {
    if (answers.length === 0) return;
    this.#port?.multicast(responseWith(answers, additionals));
  }

  /** To a client that is not of multicast DNS: as a name server does, and never more than one message. */
  #reply(query: Packet, questions: readonly Question[], wanted: readonly ServiceRecord[], peer: RemoteInfo): void {
    const [first = []] = inMessages(wanted);
    const additionals = first.length === wanted.length ? this.#additionalsOf(first) : [];
    const [answers, more] = [first, additionals].map((records) =>
      records.map((record) => ({ ...record, flush: false, ttl: Math.min(record.ttl, LEGACY_TTL_S) })),
    );
    const asked = questions.filter((question) => this.#answersTo(question).length > 0);
    const echo = asked.slice(0, 1).map(({ name, type }) => ({ name, type }));
    this.#port?.reply({ ...responseWith(answers ?? [], more ?? []), id: query.id ?? 0, questions: echo }, peer);
  }

  /** What a peer asks for next, as far as it fits into the same message. */
  #additionalsOf(answers: readonly ServiceRecord[]): ServiceRecord[] {
    const next = answers.flatMap(({ type, data }) => {
      const name = type === 'PTR' ? data : type === 'SRV' ? data.target : '';
      return this.#index().get(name.toLowerCase()) ?? [];
    });
    const hosts = next.some(({ type }) => type === 'SRV') ? this.#hostRecords : [];
    const more = new Set([...next, ...hosts].filter((record) => record.type !== 'PTR' && !answers.includes(record)));
    const [message = []] = inMessages([...answers, ...more]);
    return message.slice(answers.length);
  }

  /** Another machine that has a name of ours, or wants it and goes before us: the name is asked for again. */
  #compare(answers: readonly Answer[]): void {
    for (const answer of answers) {
      if (answer.type !== 'SRV' || answer.ttl === 0) continue;
      const holder = this.#holderOf(answer.name);
      if (!holder || this.#isOwn(answer)) continue;
      if (holder.state === 'probing') holder.isContested = true;
      else this.#startClaim(holder);
    }
  }

  /** When two machines ask for a name at the same time, the one with the lesser records gives way (RFC 6762, 8.2). */
  #giveWay(authorities: readonly Answer[]): void {
    for (const [name, records] of Map.groupBy(authorities, (one) => one.name.toLowerCase())) {
      const holder = this.#holderOf(name);
      const theirs = records.find(({ type }) => type === 'SRV');
      if (holder?.state !== 'probing' || theirs?.type !== 'SRV' || this.#isOwn(theirs)) continue;
      // Records are compared in the order of their types, and these two stand before SRV.
      const isLesser = records.some(({ type }) => type === 'A' || type === 'TXT');
      if (!isLesser && rankOf(theirs.data) > rankOf(this.#srvOf(holder, name)?.data)) holder.isContested = true;
    }
  }

  #isOwn({ name, data: { port, target } }: SrvAnswer): boolean {
    const holder = this.#holderOf(name);
    const own = holder && this.#srvOf(holder, name);
    return own?.data.port === port && own.data.target.toLowerCase() === target.toLowerCase();
  }

  #srvOf({ label, services }: Announced, name: string): SrvAnswer | undefined {
    const all = services.map((service) => srvOf(label, service, this.#target));
    return all.find((one) => one.name.toLowerCase() === name.toLowerCase());
  }

  #holderOf(name: string): Announced | undefined {
    const wanted = name.toLowerCase();
    const isIts = ({ label, services }: Announced): boolean =>
      services.some((service) => instanceName(label, service).toLowerCase() === wanted);
    return [...this.#announced.values()].find(isIts);
  }
}

function responseWith(answers: readonly ServiceRecord[], additionals: readonly ServiceRecord[]): Packet {
  return { type: 'response', flags: AUTHORITATIVE_ANSWER, answers: [...answers], additionals: [...additionals] };
}

/** In the order of the bytes of a record. */
function rankOf(data: SrvData | undefined): string {
  const { priority = 0, weight = 0, port = 0, target = '' } = data ?? {};
  return [priority, weight, port].map((word) => word.toString(16).padStart(4, '0')).join('') + target;
}
