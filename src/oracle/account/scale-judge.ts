/**
 * Judge of scales: what is shown of a scale is its last reading, for 45 seconds and no longer.
 */

import { datetimeMs } from '../../common/timestamp.ts';
import { isDeepStrictEqual } from 'node:util';

import { decoded } from '../../common/form-decoded.ts';
import { isObject, showValue, type JsonObject } from '../../common/json-value.ts';
import type { ClauseId } from '../../specification/clauses.ts';
import { VIRTUAL_SCALE } from '../../specification/fields.ts';
import { LIMITS } from '../../specification/limits.ts';
import { isGood, partsOf, records, TOO_MANY, type AccountJudge } from './account-judge.ts';
import { FactJudge, isDeletedBy } from './job-facts.ts';
import type { Observation, SeenExchange, SeenReading, SeenScale } from './observation.ts';

const RETENTION_MS = LIMITS.scaleRetentionSeconds.value * 1_000;
const SLACK_MS = 2_000;

/** A reading, and when the service came to know it. */
interface Reading {
  readonly computerId: number;
  readonly account: string | undefined;
  readonly scale: SeenScale;
  readonly deviceNum: number | undefined;
  readonly value: SeenReading['reading'];
  readonly sentMs: number;
  /** Infinity while it is on its way. */
  knownMs: number;
  /** The service was restarted since, or the scale unplugged: the reading need not be kept. */
  mayBeLost: boolean;
}

/** Simulated readings: that of an account. */
interface Simulated {
  /** Since when it is surely there; long ago where it may be lost. */
  readonly sentMs: number;
  readonly knownMs: number;
}

export class ScaleJudge extends FactJudge implements AccountJudge {
  readonly #accounts = new Map<number, string | undefined>();
  /** By computer: its scales as last reported. */
  readonly #scales = new Map<number, readonly SeenScale[]>();
  /** By computer and key: the number that each has, where it can be known. */
  readonly #numbers = new Map<string, number>();
  readonly #readings: Reading[] = [];
  readonly #byValue = new Map<SeenReading['reading'], Reading>();
  readonly #simulated = new Map<string, Simulated>();
  #wasRestarted = false;
  /** Computers with a scale that has taken another name: which numbers follow from that is not printed. */
  readonly #renamed = new Set<number>();

  see(observation: Observation, place: number): void {
    if (observation.kind === 'connected')
      this.#accounts.set(observation.computerId, this.facts.identities.accountOfKey(observation.apiKey));
    if (observation.kind === 'scales-sent') this.#plug(observation.computerId, observation.scales);
    if (observation.kind === 'reading-sent') this.#add(observation);
    if (observation.kind === 'reading') this.#acknowledge(observation);
    if (observation.kind === 'exchange') this.#seeExchange(observation, place);
    if (observation.kind === 'restarted') this.#restart();
  }

  /** Readings, and with them the numbers of scales, need not outlive the service. */
  #restart(): void {
    this.#wasRestarted = true;
    this.#scales.clear();
    this.#numbers.clear();
    for (const reading of this.#readings) reading.mayBeLost = true;
    for (const [account, one] of this.#simulated) this.#simulated.set(account, { ...one, sentMs: -Infinity });
  }

  #plug(computerId: number, scales: readonly SeenScale[]): void {
    const nameOf = ({ key }: SeenScale): string => `${computerId} ${key}`;
    const before = this.#scales.get(computerId) ?? [];
    for (const scale of before) {
      if (scales.some(({ key }) => key === scale.key)) continue;
      this.#numbers.delete(nameOf(scale));
      for (const one of this.#readings)
        if (one.computerId === computerId && one.scale.key === scale.key) one.mayBeLost = true;
    }
    const isRenamed = before.some((old) =>
      scales.some(({ key, deviceName }) => key === old.key && deviceName !== old.deviceName),
    );
    if (isRenamed) this.#renamed.add(computerId);
    this.#scales.set(computerId, scales);
    for (const scale of scales) {
      if (this.#numbers.has(nameOf(scale))) continue;
      const used = scales
        .filter((other) => other.deviceName === scale.deviceName)
        .map((other) => this.#numbers.get(nameOf(other)));
      this.#numbers.set(nameOf(scale), smallestFree(used));
    }
  }

  #add({ computerId, reading, atMs }: SeenReading): void {
    const scale = this.#scales.get(computerId)?.find(({ key }) => key === reading.scaleKey);
    if (!scale) return;
    const deviceNum = this.#numbers.get(`${computerId} ${scale.key}`);
    const account = this.#accounts.get(computerId);
    const when = { sentMs: atMs, knownMs: Infinity, mayBeLost: false };
    const one = { computerId, account, scale, deviceNum, value: reading, ...when };
    this.#readings.push(one);
    this.#byValue.set(reading, one);
  }

  #acknowledge({ reading, atMs }: SeenReading): void {
    const known = this.#byValue.get(reading);
    if (known) known.knownMs = Math.min(known.knownMs, atMs);
  }

  #seeExchange(exchange: SeenExchange, place: number): void {
    const { method, path, status } = partsOf(exchange);
    if (status === TOO_MANY || status === 401 || status === 403) return;
    if (method === 'PUT' && path === '/scale') this.#simulate(exchange);
    const [, computer, plural, name, number] =
      /^\/computer\/(\d+)\/scale(s?)(?:\/([^/]+))?(?:\/(\d+))?$/.exec(path) ?? [];
    if (method !== 'GET' || isDeletedBy(this.facts, Number(computer), place)) return;
    if (this.#renamed.has(Number(computer))) return;
    const deviceName = name === undefined ? undefined : decoded(name);
    if (plural === 's') this.#judgeList(exchange, Number(computer), deviceName);
    else if (deviceName !== undefined && number !== undefined)
      this.#judgeOne(exchange, { computerId: Number(computer), deviceName, deviceNum: Number(number) });
  }

  #simulate(exchange: SeenExchange): void {
    const { status, at } = partsOf(exchange);
    const known = this.findings.circumstances.dialect['simulated-reading'];
    if (known && isDeepStrictEqual(exchange.sent, known.body))
      this.findings.hold('scales/simulate', `status of ${at}`, isGood(status), 'a success', String(status));
    const account = this.facts.identities.accountOf(exchange);
    if (isGood(status)) this.#simulated.set(account, { sentMs: exchange.sentMs, knownMs: exchange.atMs });
  }

  #judgeList(exchange: SeenExchange, computerId: number, deviceName: string | undefined): void {
    const { status, at } = partsOf(exchange);
    const { value } = exchange;
    const hold = (clause: ClauseId, isKept: boolean, expected: string, actual: unknown): boolean =>
      this.findings.hold(clause, at, isKept, expected, actual);
    const isList = status === 200 && Array.isArray(value);
    const shape = deviceName === undefined ? 'scales/list' : 'scales/list-by-name';
    if (!hold(shape, isList, '200 and an array', `${status} ${showValue(value)}`)) return;
    const account = this.facts.identities.accountOf(exchange);
    if (computerId === 0) return this.#judgeSimulated(exchange, deviceName, records(value));
    const own = this.#readings.filter((one) => one.computerId === computerId && one.account === account);
    for (const shown of records(value)) {
      if (deviceName !== undefined)
        hold('scales/list-by-name-only', shown['deviceName'] === deviceName, `scales called ${deviceName}`, shown);
      this.#judgeShown(exchange, shown, own, 'scales/list-most-recent');
    }
    const lacking = this.#freshIn(own, exchange).find(
      ({ scale, deviceNum }) =>
        (deviceName === undefined || scale.deviceName === deviceName) &&
        !records(value).some((one) => one['deviceName'] === scale.deviceName && one['deviceNum'] === deviceNum),
    );
    hold(
      'limits/scale-retention-not-early',
      !lacking,
      `a reading of ${lacking?.scale.deviceName} number ${lacking?.deviceNum}`,
      value,
    );
  }

  #judgeOne(
    exchange: SeenExchange,
    asked: { readonly computerId: number; readonly deviceName: string; readonly deviceNum: number },
  ): void {
    const { status, at } = partsOf(exchange);
    const { computerId, deviceName, deviceNum } = asked;
    const account = this.facts.identities.accountOf(exchange);
    if (computerId === VIRTUAL_SCALE.computerId.value) {
      const isNamed = deviceName === VIRTUAL_SCALE.deviceName.value && deviceNum === VIRTUAL_SCALE.deviceNum.value;
      return this.#judgeKept(exchange, isNamed ? this.#simulated.get(account) : undefined);
    }
    const own = this.#readings.filter(
      (one) =>
        one.computerId === computerId &&
        one.account === account &&
        one.scale.deviceName === deviceName &&
        one.deviceNum === deviceNum,
    );
    const [fresh] = this.#freshIn(own, exchange);
    const hold = this.findings.hold.bind(this.findings);
    if (fresh && !hold('scales/read-one', `status of ${at}`, status === 200, '200', String(status))) return;
    if (status !== 200) {
      hold('scales/read-one-missing-404', `status of ${at}`, status === 404, '404', String(status));
      return;
    }
    const { value } = exchange;
    const isShown = isObject(value);
    hold('scales/read-one', `body of ${at}`, isShown, 'a scale data object', value);
    if (isShown) this.#judgeShown(exchange, value, own, 'scales/read-one-most-recent');
  }

  /** It is one of the readings that may be the last, and none that is too old. */
  #judgeShown(exchange: SeenExchange, shown: JsonObject, own: readonly Reading[], clause: ClauseId): void {
    const { at } = partsOf(exchange);
    const hold = (broken: ClauseId, isKept: boolean, expected: string, actual: unknown): boolean =>
      this.findings.hold(broken, `scale data in ${at}`, isKept, expected, actual);
    const named = own.filter(({ scale, deviceNum }) => isOf(shown, scale, deviceNum));
    const isKnown = own.some(({ scale }) => scale.deviceName === shown['deviceName']);
    if (named.length === 0 && isKnown && this.#wasRestarted) return;
    const place = isKnown ? 'scales/device-num-smallest-unused' : 'scales/list-foreign-data';
    if (!hold(place, named.length > 0, 'a scale it has', shown)) return;
    // Frames that overtake each other may leave any of them the last.
    const { isLinkDisturbed } = this.findings.circumstances;
    const candidates = isLinkDisturbed ? named.toReversed() : lastOf(named, exchange.sentMs);
    const match = candidates.find(({ value }) => isReadingOf(shown, value));
    const [newest] = candidates;
    if (!newest) return;
    hold(match ? clause : clauseOf(shown, newest, clause), match !== undefined, showValue(newest.value), shown);
    if (!match) return;
    this.#judgeDevice(shown, match, hold);
    hold(
      'limits/scale-retention',
      exchange.sentMs <= match.knownMs + RETENTION_MS + this.#slackMs,
      'nothing after 45 seconds',
      shown,
    );
  }

  #judgeDevice(
    shown: JsonObject,
    { scale, computerId }: Reading,
    hold: (clause: ClauseId, isKept: boolean, expected: string, actual: unknown) => boolean,
  ): void {
    const fields: readonly (readonly [string, unknown, ClauseId])[] = [
      ['computerId', computerId, 'scales/field-computer-id'],
      ['vendor', scale.vendor ?? '', 'scales/field-vendor'],
      ['vendorId', scale.vendorId, 'scales/field-vendor-id'],
      ['productId', scale.productId, 'scales/field-product-id'],
      ['port', scale.port ?? '', 'scales/field-port'],
      ['count', null, 'scales/field-count'],
      ['ntpOffset', null, 'scales/field-ntp-offset'],
    ];
    for (const [name, wanted, clause] of fields) {
      hold(
        clause,
        isDeepStrictEqual(shown[name] ?? (wanted === '' ? '' : shown[name]), wanted),
        `${name} ${showValue(wanted)}`,
        shown[name],
      );
    }
  }

  #judgeSimulated(exchange: SeenExchange, deviceName: string | undefined, shown: readonly JsonObject[]): void {
    const account = this.facts.identities.accountOf(exchange);
    const isAsked = deviceName === undefined || deviceName === VIRTUAL_SCALE.deviceName.value;
    const made = isAsked ? this.#simulated.get(account) : undefined;
    const { at } = partsOf(exchange);
    if (
      !made &&
      !this.findings.hold('scales/simulate-per-account', at, shown.length === 0, 'no simulated reading', shown)
    )
      return;
    if (
      made &&
      exchange.atMs < made.sentMs + RETENTION_MS &&
      !this.findings.hold('scales/simulate-queryable', at, shown.length === 1, 'the simulated reading', shown)
    )
      return;
    if (made && exchange.sentMs > made.knownMs + RETENTION_MS + this.#slackMs)
      this.findings.hold('scales/simulate-retention', at, shown.length === 0, 'nothing after 45 seconds', shown);
    for (const one of shown) this.#judgeVirtual(one, at);
  }

  #judgeKept(exchange: SeenExchange, made: Simulated | undefined): void {
    const { status, at } = partsOf(exchange);
    const mustBe = made !== undefined && exchange.atMs < made.sentMs + RETENTION_MS;
    const mayBe = made !== undefined && exchange.sentMs <= made.knownMs + RETENTION_MS + this.#slackMs;
    if (
      mustBe &&
      !this.findings.hold('scales/simulate-queryable', `status of ${at}`, status === 200, '200', String(status))
    )
      return;
    if (!mayBe)
      this.findings.hold(
        made ? 'scales/simulate-retention' : 'scales/simulate-per-account',
        at,
        !isGood(status),
        '404',
        String(status),
      );
    if (isGood(status) && isObject(exchange.value)) this.#judgeVirtual(exchange.value, at);
  }

  #judgeVirtual(shown: JsonObject, at: string): void {
    const alike = this.findings.alike.bind(this.findings);
    alike('scales/simulate-device-name', at, VIRTUAL_SCALE.deviceName.value, shown['deviceName']);
    alike('scales/simulate-device-num', at, VIRTUAL_SCALE.deviceNum.value, shown['deviceNum']);
    alike('scales/simulate-computer-zero', at, VIRTUAL_SCALE.computerId.value, shown['computerId']);
  }

  /** Last readings that are surely kept: of scales that are still there, acknowledged less than 45 seconds ago. */
  #freshIn(own: readonly Reading[], { sentMs, atMs }: SeenExchange): readonly Reading[] {
    const there = own.filter(
      ({ knownMs, sentMs: since, mayBeLost }) =>
        !mayBeLost && knownMs <= sentMs && atMs < since + RETENTION_MS - this.#slackMs,
    );
    return this.findings.circumstances.isLinkDisturbed ? [] : there;
  }

  get #slackMs(): number {
    const { isVirtual, clockErrorMs } = this.findings.circumstances;
    return isVirtual ? 0 : SLACK_MS + clockErrorMs;
  }
}

function smallestFree(used: readonly (number | undefined)[]): number {
  let number = 0;
  while (used.includes(number)) number++;
  return number;
}

function isOf(shown: JsonObject, { deviceName }: SeenScale, deviceNum: number | undefined): boolean {
  return shown['deviceName'] === deviceName && shown['deviceNum'] === deviceNum;
}

/** The last reading that was acknowledged, and those that were on their way after it; the newest first. */
function lastOf(own: readonly Reading[], sentMs: number): readonly Reading[] {
  const known = own.findLastIndex(({ knownMs }) => knownMs <= sentMs);
  return own.slice(Math.max(0, known)).toReversed();
}

function isReadingOf(
  shown: JsonObject,
  { mass, measurement, clientReportedCreateTimestamp }: Reading['value'],
): boolean {
  return (
    isDeepStrictEqual(shown['mass'], mass) &&
    isDeepStrictEqual(shown['measurement'], measurement) &&
    datetimeMs(shown['clientReportedCreateTimestamp']) === datetimeMs(clientReportedCreateTimestamp)
  );
}

/** The field that differs where only one does; else it is another reading. */
function clauseOf(shown: JsonObject, { value }: Reading, other: ClauseId): ClauseId {
  const { mass, measurement, clientReportedCreateTimestamp } = value;
  const isMass = isDeepStrictEqual(shown['mass'], mass);
  const isMeasurement = isDeepStrictEqual(shown['measurement'], measurement);
  const isTime = datetimeMs(shown['clientReportedCreateTimestamp']) === datetimeMs(clientReportedCreateTimestamp);
  if (isMass && isMeasurement) return 'scales/field-client-reported-create-timestamp';
  if (isTime) return isMass ? 'scales/measurement-billionths' : 'scales/mass-micrograms';
  return other;
}
