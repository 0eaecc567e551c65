/**
 * Judge of lists: computers, printers and print jobs, whole, by sets and page by page, against what computers have
 * reported and callers have submitted. What may or may not be listed (a cancelled job) makes no page wrong.
 */

import { isObject, type JsonObject } from '../../common/json-value.ts';
import { leavesOf, valueAt } from '../../common/places.ts';
import type { ClauseId } from '../../specification/clauses.ts';
import { LIMITS } from '../../specification/limits.ts';
import { idsOfSet, isGood, partsOf, records, sorted, type AccountJudge, type Findings } from './account-judge.ts';
import { FactJudge, jobsAt, type Facts } from './job-facts.ts';
import type { Presence } from './presence.ts';
import type { Observation, SeenClient, SeenExchange, SeenPrinter } from './observation.ts';

interface ListedComputer {
  readonly id: number;
  readonly account: string;
  readonly client: SeenClient;
  /** When it was first seen, and when it reported its printers last. */
  readonly sinceMs: number;
  reportedMs: number;
  /** Its printers as last reported; undefined while a report is on its way. */
  printers: readonly SeenPrinter[] | undefined;
  createTimestamp: unknown;
}

/** What a list must have, and what it may have beside that. */
interface Members {
  readonly must: ReadonlySet<number>;
  readonly may: ReadonlySet<number>;
  /** How many it may have whose ids nothing has shown. */
  readonly unseen: number;
}

export class ListJudge extends FactJudge implements AccountJudge {
  readonly #presence: Presence;
  readonly #onPrinters: (computerId: number, names: ReadonlySet<string>) => void;
  readonly #computers = new Map<number, ListedComputer>();
  /** By computer and name: a printer keeps its id. */
  readonly #printerIds = new Map<string, number>();

  constructor(
    findings: Findings,
    facts: Facts,
    presence: Presence,
    onPrinters: (id: number, names: ReadonlySet<string>) => void,
  ) {
    super(findings, facts);
    this.#presence = presence;
    this.#onPrinters = onPrinters;
  }

  see(observation: Observation, place: number): void {
    if (observation.kind === 'connected') this.#connect(observation);
    if (observation.kind === 'exchange') this.#seeExchange(observation, place);
    if (observation.kind !== 'printers' && observation.kind !== 'printers-sent') return;
    const computer = this.#computers.get(observation.computerId);
    if (!computer) return;
    const isKnown = observation.kind === 'printers';
    computer.reportedMs = observation.atMs;
    computer.printers = isKnown ? observation.printers : undefined;
    this.#onPrinters(computer.id, new Set(isKnown ? observation.printers.map(({ name }) => name) : []));
  }

  #connect({ computerId, client, apiKey, atMs }: Extract<Observation, { kind: 'connected' }>): void {
    const known = this.#computers.get(computerId);
    const account = this.facts.identities.accountOfKey(apiKey) ?? known?.account ?? '';
    this.#computers.set(computerId, {
      id: computerId,
      account,
      client,
      sinceMs: known?.sinceMs ?? atMs,
      reportedMs: known?.reportedMs ?? atMs,
      printers: known?.printers,
      createTimestamp: known?.createTimestamp,
    });
  }

  #seeExchange(exchange: SeenExchange, place: number): void {
    const { method, path, status } = partsOf(exchange);
    if (!isGood(status)) return;
    const asked = askedIn(path);
    if (!asked) return;
    if (method === 'DELETE' && asked.what === 'computers') this.#forget(exchange, asked);
    if (method !== 'GET') return;
    if (asked.what === 'computers') this.#judgeComputers(exchange, asked);
    else if (asked.what === 'printers') this.#judgePrinters(exchange, asked);
    else this.#judgeJobs(exchange, place);
  }

  #forget(exchange: SeenExchange, { set }: Asked): void {
    const { value } = exchange;
    const { at } = partsOf(exchange);
    const isList = Array.isArray(value);
    this.findings.hold('computers/delete-set', at, isList, 'an array of ids', value);
    if (!isList) return;
    const account = this.facts.identities.accountOf(exchange);
    for (const computer of this.#computers.values()) {
      const isNamed = computer.account === account && (set === undefined || set.includes(computer.id));
      const clause = isNamed ? 'computers/delete-removes' : 'computers/delete-leaves-others';
      this.findings.hold(
        clause,
        `ids of ${at}`,
        isNamed === value.includes(computer.id),
        isNamed ? `computer ${computer.id}` : 'what it names',
        value,
      );
    }
    for (const id of value) this.#computers.delete(Number(id));
  }

  #judgeComputers(exchange: SeenExchange, { set }: Asked): void {
    const { at } = partsOf(exchange);
    const account = this.facts.identities.accountOf(exchange);
    const own = [...this.#computers.values()].filter(
      (one) => one.account === account && (set === undefined || set.includes(one.id)),
    );
    const must = new Set(own.filter(({ sinceMs }) => this.#isBefore(sinceMs, exchange)).map(({ id }) => id));
    const may = new Set(own.map(({ id }) => id));
    const unseen = this.#presence.unwelcomedBeside(account, this.#computers);
    this.#judgePage(exchange, { must, may, unseen }, COMPUTER_CLAUSES);
    for (const record of records(exchange.value)) {
      const computer = this.#computers.get(Number(record['id']));
      if (computer) this.#judgeComputer(computer, record, at);
    }
  }

  /** Whether the service knew what was seen then: elsewhere it may have crossed the answer on its way. */
  #isBefore(seenMs: number, { sentMs }: SeenExchange): boolean {
    return this.findings.circumstances.isVirtual || seenMs < sentMs;
  }

  #judgeComputer(computer: ListedComputer, record: JsonObject, at: string): void {
    const { client, id } = computer;
    const where = `computer ${id} in ${at}`;
    const alike = this.findings.alike.bind(this.findings);
    alike('computers/name-as-reported', where, client.computerName, record['name']);
    alike('computers/field-hostname', where, client.hostname, record['hostname']);
    alike('computers/field-inet', where, client.inet, record['inet']);
    alike('computers/version-as-reported', where, client.version, record['version']);
    this.#judgeConnection(computer, record, where);
    const since = record['createTimestamp'];
    if (computer.createTimestamp !== undefined)
      alike('computers/create-timestamp-constant', where, computer.createTimestamp, since);
    computer.createTimestamp = since;
  }

  #judgeConnection({ id }: ListedComputer, { state }: JsonObject, where: string): void {
    const { isLinkDisturbed, isVirtual } = this.findings.circumstances;
    // A dead connection is alive until the service has noticed.
    if (!this.#presence.isSurelyConnected(id) || isLinkDisturbed || !isVirtual) return;
    this.findings.hold('states/computer-connected-differs', where, state !== 'disconnected', 'not disconnected', state);
  }

  #judgePrinters(exchange: SeenExchange, { parents, set }: Asked): void {
    const { at } = partsOf(exchange);
    const account = this.facts.identities.accountOf(exchange);
    const listed = records(exchange.value);
    for (const record of listed) this.#judgeOwner(record, { account, ofComputers: parents, at });
    if (set !== undefined) return this.#judgeSet(exchange, set);
    this.#judgeOrder(
      exchange,
      listed.map(({ id }) => Number(id)),
      PRINTER_CLAUSES,
    );
    if (partsOf(exchange).query.has('after') || isCut(exchange, listed.length)) return;
    for (const computer of this.#computers.values()) {
      const isAsked = computer.account === account && (!parents || parents.includes(computer.id));
      const isReported = this.#isBefore(computer.reportedMs, exchange);
      if (isAsked && isReported && computer.printers) this.#judgeReported(computer, computer.printers, listed, at);
    }
  }

  /** The printers of a computer are those that it reported last. */
  #judgeReported(
    { id }: ListedComputer,
    reported: readonly SeenPrinter[],
    listed: readonly JsonObject[],
    at: string,
  ): void {
    const shown = listed.filter(({ computer }) => isObject(computer) && computer['id'] === id).map(reportOf);
    const wanted = [...new Map(reported.map((one) => [one.key, one])).values()].map(reportOf);
    const lacking = wanted.filter((one) => !shown.includes(one));
    const surplus = shown.filter((one) => !wanted.includes(one));
    const where = `printers of computer ${id} in ${at}`;
    const areThere = lacking.length === 0 || shown.length >= wanted.length;
    const hold = this.findings.hold.bind(this.findings);
    if (!hold('printers/known-after-report', where, areThere, `${wanted.length} printers`, `${shown.length}`)) return;
    const [lack, more] = [shorten(lacking[0]), shorten(surplus[0])];
    if (!hold('printers/capabilities-as-reported', where, lacking.length === 0, lack, more)) return;
    hold('printers/list-of-computers-only', where, surplus.length === 0, 'none but those reported', more);
  }

  #judgeOwner(
    record: JsonObject,
    asked: { readonly account: string; readonly ofComputers: readonly number[] | undefined; readonly at: string },
  ): void {
    const { account, ofComputers, at } = asked;
    const { id, computer } = record;
    const where = `printer ${String(id)} in ${at}`;
    const isShown = isObject(computer);
    this.findings.hold('printers/field-computer', where, isShown, 'its computer', computer);
    if (!isShown) return;
    const owner = this.#computers.get(Number(computer['id']));
    if (owner)
      this.findings.hold(
        'printers/list',
        where,
        owner.account === account,
        `printers of account ${account}`,
        `one of ${owner.account}`,
      );
    if (ofComputers)
      this.findings.hold(
        'printers/list-of-computers-only',
        where,
        ofComputers.includes(Number(computer['id'])),
        `computer ${ofComputers.join()}`,
        computer['id'],
      );
    if (owner) this.#judgeComputer(owner, computer, at);
    if (owner?.printers) this.#judgeId(record, owner.id, owner.printers, where);
  }

  /** It keeps its id, where its name tells which it is. */
  #judgeId({ id, name }: JsonObject, computerId: number, reported: readonly SeenPrinter[], where: string): void {
    if (reported.filter((one) => one.name === name).length !== 1) return;
    const key = `${computerId} ${String(name)}`;
    const known = this.#printerIds.get(key);
    if (known !== undefined && this.#isStill(known, computerId, reported))
      this.findings.hold('printers/same-id-after-reconnect', where, known === id, `id ${known}`, id);
    this.#printerIds.set(key, Number(id));
  }

  /** A printer that was removed and came back may have a new id. */
  #isStill(id: number, computerId: number, reported: readonly SeenPrinter[]): boolean {
    const { names } = this.facts.printers.get(id) ?? {};
    return names?.size === 1 && this.facts.reported.get(computerId)?.size === reported.length;
  }

  #judgeSet(exchange: SeenExchange, set: readonly number[]): void {
    const { at } = partsOf(exchange);
    const ids = records(exchange.value).map(({ id }) => Number(id));
    const odd = ids.find((id) => !set.includes(id));
    this.findings.hold('printers/list-set', at, odd === undefined, 'printers of the set', `printer ${odd}`);
    this.#judgeOrder(exchange, ids, PRINTER_CLAUSES);
  }

  #judgeJobs(exchange: SeenExchange, place: number): void {
    const { path } = partsOf(exchange);
    const account = this.facts.identities.accountOf(exchange);
    const named = jobsAt(path, account, this.facts.jobs.values());
    if (!named) return;
    const there = named.filter((job) => job.place < place);
    const isSure = (job: (typeof there)[number]): boolean =>
      job.cancelledAt === undefined &&
      job.openSince > place &&
      exchange.atMs < job.expiresFromMs &&
      this.#isBefore(job.acceptedMs, exchange);
    const must = new Set(there.filter(isSure).map(({ id }) => id));
    const idName = this.findings.circumstances.dialect['job-id'];
    this.#judgePage(
      exchange,
      { must, may: new Set(there.map(({ id }) => id)), unseen: 0 },
      idName === undefined ? JOB_CLAUSES : { ...JOB_CLAUSES, idName },
    );
  }

  /** Its ids are in order, after `after`, no more than allowed, and without gaps. */
  #judgePage(exchange: SeenExchange, { must, may, unseen }: Members, clauses: PageClauses): void {
    const { at, query } = partsOf(exchange);
    if (!this.findings.hold(clauses.list, at, Array.isArray(exchange.value), 'an array', exchange.value)) return;
    const listed = records(exchange.value);
    const ids = listed.map((record) => valueAt(record, clauses.idName ?? 'id'));
    // Where a record has its id that is not printed.
    if (!ids.every((id) => typeof id === 'number')) return;
    if (clauses === JOB_CLAUSES && !ids.some((id) => may.has(id)) && isAmongLeaves(listed, may)) return;
    this.#judgeOrder(exchange, ids, clauses);
    const others = ids.filter((id) => !must.has(id) && !may.has(id));
    if (this.findings.isWholeOf(this.facts.identities.accountOf(exchange)))
      this.findings.hold(
        clauses.only,
        `ids of ${at}`,
        others.length <= unseen,
        'what is asked for',
        `also ${others.join()}`,
      );
    const isDescending = query.get('dir') !== 'asc';
    const after = query.get('after') ? Number(query.get('after')) : undefined;
    // What is not shown any more may have its place on the page.
    const hidden = [...may].filter((id) => !must.has(id) && !ids.includes(id)).length;
    const isEnd = !isCut(exchange, ids.length + hidden);
    const last = isEnd ? undefined : ids.at(-1);
    if (!isEnd && last === undefined) return;
    const isOn = (id: number): boolean =>
      (after === undefined || (isDescending ? id < after : id > after)) &&
      (last === undefined || (isDescending ? id >= last : id <= last));
    const missing = [...must].find((id) => isOn(id) && !ids.includes(id));
    this.findings.hold(clauses.list, `ids of ${at}`, missing === undefined, `also ${missing}`, ids);
  }

  #judgeOrder(exchange: SeenExchange, ids: readonly number[], { order }: Pick<PageClauses, 'order'>): void {
    const { at, query } = partsOf(exchange);
    const isDescending = query.get('dir') !== 'asc';
    const after = query.get('after') ? Number(query.get('after')) : undefined;
    const isBehind = (id: number, other: number): boolean => (isDescending ? id < other : id > other);
    const isWrong = ids.some((id, index) => index > 0 && !isBehind(id, ids[index - 1] ?? id));
    this.findings.hold(order, `ids of ${at}`, !isWrong, isDescending ? 'newest first' : 'oldest first', ids);
    const isEarly = after !== undefined && ids.some((id) => !isBehind(id, after));
    this.findings.hold('service/page-after', `ids of ${at}`, !isEarly, `those after ${after}`, ids);
    const limit = limitOf(exchange);
    if (limit !== undefined)
      this.findings.hold(
        'service/page-limit',
        `ids of ${at}`,
        ids.length <= limit,
        `${limit} at most`,
        `${ids.length}`,
      );
  }
}

/** What a path names: all of a kind, or a set, or those of some computers or printers. */
interface Asked {
  readonly what: string | undefined;
  readonly parents: readonly number[] | undefined;
  readonly set: readonly number[] | undefined;
}

/** Undefined for other paths, and for what is not a set of ids. */
function askedIn(path: string): Asked | undefined {
  const match = /^(?:\/(?:computers|printers)\/([^/]+))?\/(computers|printers|printjobs)(?:\/([^/]+))?$/.exec(path);
  if (!match) return undefined;
  const [, parentSet, what, ownSet] = match;
  const [parents, set] = [parentSet, ownSet].map((text) => (text === undefined ? undefined : idsOfSet(text)));
  const isSound = [parentSet, ownSet].every((text) => text === undefined || idsOfSet(text));
  return isSound ? { what, parents, set } : undefined;
}

interface PageClauses {
  readonly list: ClauseId;
  readonly only: ClauseId;
  readonly order: ClauseId;
  /** `id` unless given. */
  readonly idName?: string | undefined;
}

const COMPUTER_CLAUSES: PageClauses = {
  list: 'computers/list',
  only: 'computers/list-set',
  order: 'computers/paginated',
};
const PRINTER_CLAUSES: Pick<PageClauses, 'order'> = { order: 'printers/paginated' };
const JOB_CLAUSES: PageClauses = {
  list: 'print-jobs/created-listed',
  only: 'print-jobs/list-of-printers-only',
  order: 'print-jobs/paginated',
};

/** Whether the records have some of these ids, at whatever place. */
function isAmongLeaves(listed: readonly JsonObject[], ids: ReadonlySet<unknown>): boolean {
  return leavesOf(listed).some(([, leaf]) => ids.has(leaf));
}

/** Undefined where what a service makes of it is open. */
function limitOf(exchange: SeenExchange): number | undefined {
  const given = partsOf(exchange).query.get('limit') ?? String(LIMITS.pageSize.value);
  return /^[1-9]\d*$/.test(given) ? Number(given) : undefined;
}

/** Whether more may follow the end of the page: a service may cut a large limit. */
function isCut(exchange: SeenExchange, length: number): boolean {
  return length >= Math.min(limitOf(exchange) ?? 0, LIMITS.pageSize.value);
}

/** What a computer says of a printer and a list shows; null stands for unknown where a string is printed. */
function reportOf(printer: SeenPrinter | JsonObject): string {
  const { name, description, capabilities, default: isDefault } = printer;
  return JSON.stringify([name, description, sorted(capabilities), isDefault]);
}

const LONGEST_SHOWN = 200;

function shorten(text = 'nothing'): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
