/**
 * Judge of submissions: which are accepted, which are refused, and with what id or for what reason.
 */

import { isObject, showValue } from '../../common/json-value.ts';
import type { ClauseId } from '../../specification/clauses.ts';
import { ERRORS } from '../../specification/errors.ts';
import { DOCUMENT_AUTHENTICATION_INPUT, PRINT_JOB_INPUT } from '../../specification/inputs.ts';
import { LIMITS } from '../../specification/limits.ts';
import { isGood, isRefused, partsOf, TOO_MANY, type AccountJudge } from './account-judge.ts';
import { FactJudge, idempotencyKeyOf } from './job-facts.ts';
import type { Observation, SeenExchange } from './observation.ts';

/** What any service has room for. */
const KEY_LENGTH = 64;
const KEY_MS = LIMITS.idempotencyHours.value * 3_600_000;
const AUTHENTICATION_TYPES: readonly unknown[] = DOCUMENT_AUTHENTICATION_INPUT.type.values;
const CONTENT_TYPES: readonly unknown[] = PRINT_JOB_INPUT.contentType.values;

/** When a key was used, by the first job that was accepted with it. */
interface UsedKey {
  readonly fromMs: number;
  readonly untilMs: number;
}

export class SubmissionJudge extends FactJudge implements AccountJudge {
  readonly #keys = new Map<string, UsedKey>();
  /** By account: when its jobs were accepted, and the highest id until then. */
  readonly #accepted = new Map<string, { readonly acceptedMs: number; readonly newest: number }[]>();

  see(observation: Observation): void {
    if (observation.kind !== 'exchange') return;
    const { method, path, status } = partsOf(observation);
    if (status === TOO_MANY || status === 401 || status === 403) return;
    if (method === 'POST' && path === '/printjobs') this.#judgeSubmission(observation);
  }

  #judgeSubmission(exchange: SeenExchange): void {
    const { sent, value } = exchange;
    const { status, at } = partsOf(exchange);
    const wrong = this.#whatIsWrong(sent, this.facts.identities.accountOf(exchange)) ?? this.#whoseIsIt(exchange);
    if (wrong !== undefined) {
      this.findings.hold(wrong, `status of ${at}`, isRefused(status), 'a refusal', String(status));
      return;
    }
    const key = this.#keyOf(exchange);
    const use = this.#useOf(exchange, key);
    const conflict = ERRORS.Conflict.status;
    if (use !== 'free-again' && key !== undefined && !this.#areKeysKnown && status === conflict) return;
    if (use === 'used') {
      const isConflict = status === conflict;
      if (isConflict || isGood(status) || this.#isSurelyValid(sent))
        this.findings.hold(
          'print-jobs/idempotency-conflict',
          `status of ${at}`,
          isConflict,
          String(conflict),
          String(status),
        );
      return;
    }
    if (status === conflict && (use === 'unsure' || this.#wasOvertaken(exchange))) return;
    const isTaken = status === 201;
    if (isTaken || (this.#isSurelyValid(sent) && this.#isSurelyTaken(idempotencyKeyOf(exchange)))) {
      const clause = acceptanceClause(use, key, sent);
      this.findings.hold(clause, `status of ${at}`, isTaken, '201', `${status} ${showValue(value)}`);
    }
    if (isTaken) this.#judgeId(exchange, key);
  }

  #judgeId(exchange: SeenExchange, key: string | undefined): void {
    const { value, sentMs, atMs } = exchange;
    const { at } = partsOf(exchange);
    if (key !== undefined) this.#keys.set(key, { fromMs: sentMs, untilMs: atMs });
    const isId = typeof value === 'number' && Number.isInteger(value) && value > 0;
    this.findings.hold('print-jobs/created-id-integer', `body of ${at}`, isId, 'an id', value);
    if (!isId) return;
    const account = this.facts.identities.accountOf(exchange);
    const before = this.#accepted.get(account) ?? [];
    this.#accepted.set(account, before);
    // Submissions at the same time may be answered in another order.
    const { newest = 0 } = before.findLast(({ acceptedMs }) => acceptedMs < sentMs) ?? {};
    this.findings.hold(
      'print-jobs/created-id-grows',
      `body of ${at}`,
      value >= newest,
      `more than ${newest}`,
      value,
      value,
    );
    before.push({ acceptedMs: atMs, newest: Math.max(value, before.at(-1)?.newest ?? 0) });
  }

  #whoseIsIt(exchange: SeenExchange): ClauseId | undefined {
    const { sent } = exchange;
    const printer = isObject(sent) ? this.facts.printers.get(Number(sent['printerId'])) : undefined;
    const account = this.facts.identities.accountOf(exchange);
    if (!printer || account === '' || printer.account === account) return undefined;
    return 'print-jobs/printer-id-foreign-refused';
  }

  /** The clause by which a submission must be refused. */
  #whatIsWrong(sent: unknown, account: string): ClauseId | undefined {
    if (!isObject(sent)) return undefined;
    const { printerId, contentType, content, qty } = sent;
    if (printerId === undefined && sent['printer'] === undefined) return 'print-jobs/printer-id-missing-refused';
    if (contentType === undefined) return 'print-jobs/content-type-missing-refused';
    if (content === undefined) return 'print-jobs/content-missing-refused';
    if (typeof contentType === 'string' && !CONTENT_TYPES.includes(contentType))
      return 'print-jobs/content-type-other-refused';
    if (typeof qty === 'number' && qty <= 0)
      return qty === 0 ? 'print-jobs/qty-zero-refused' : 'print-jobs/qty-negative-refused';
    if (this.#isOfNoPrinter(printerId, account)) return 'print-jobs/printer-id-unknown-refused';
    return whatIsWrongWith(sent['authentication']);
  }

  /** A service may have ids as high as this one; then it has listed it where all of the account was seen. */
  #isOfNoPrinter(printerId: unknown, account: string): boolean {
    if (typeof printerId !== 'number' || printerId < UNKNOWN_FROM) return false;
    return this.findings.isWholeOf(account) && !this.facts.printers.has(printerId);
  }

  #isSurelyValid(sent: unknown): boolean {
    if (!isObject(sent)) return false;
    const { printerId, content, contentType, options, qty, expireAfter, authentication, ...rest } = sent;
    const printer = this.facts.printers.get(Number(printerId));
    const { isReference } = this.findings.circumstances;
    return (
      printer !== undefined &&
      typeof printerId === 'number' &&
      this.#isReported(printer.computerId, printer.names) &&
      typeof content === 'string' &&
      content !== '' &&
      CONTENT_TYPES.includes(contentType) &&
      // What a printer cannot do, and what no one knows, may be refused.
      (options === undefined || options === null || (isObject(options) && Object.keys(options).length === 0)) &&
      (qty === undefined || isFrom1(qty, isReference ? Infinity : 1)) &&
      (expireAfter === undefined || isFrom1(expireAfter, isReference ? LONGEST_EXPIRY : EXPIRES_SURELY)) &&
      (authentication === undefined || isObject(authentication)) &&
      Object.entries(rest).every(([name, text]) => ['title', 'source'].includes(name) && isShortText(text))
    );
  }

  /** How long a key may be is open. */
  #isSurelyTaken(key: string | undefined): boolean {
    return this.findings.circumstances.isReference || key === undefined || key.length <= KEY_LENGTH;
  }

  /** Whether it is among the printers that its computer has, as far as its last report says. */
  #isReported(computerId: number, names: ReadonlySet<string>): boolean {
    const present = this.#present.get(computerId);
    return present !== undefined && [...names].some((name) => present.has(name));
  }

  readonly #present = new Map<number, ReadonlySet<string>>();

  /** Told by the judge of lists, which follows what computers have. */
  printersOf(computerId: number, names: ReadonlySet<string>): void {
    this.#present.set(computerId, names);
  }

  /** The scope of keys is not shown; that of an account is the narrowest. */
  #keyOf(exchange: SeenExchange): string | undefined {
    const given = idempotencyKeyOf(exchange);
    return given === undefined ? undefined : `${this.facts.identities.accountOf(exchange)} ${given}`;
  }

  /** Whether nothing else has used any: another account may, on a service that has others. */
  get #areKeysKnown(): boolean {
    const { isWhole, isVirtual } = this.findings.circumstances;
    return isWhole && isVirtual;
  }

  #useOf({ sentMs, atMs }: SeenExchange, key: string | undefined): 'used' | 'unsure' | 'free-again' | undefined {
    const used = key === undefined ? undefined : this.#keys.get(key);
    if (!used) return undefined;
    if (atMs < used.fromMs + KEY_MS) return 'used';
    return sentMs > used.untilMs + KEY_MS ? 'free-again' : 'unsure';
  }

  /** A submission that was accepted may be answered after concurrent ones that were refused. */
  #wasOvertaken(exchange: SeenExchange): boolean {
    const key = idempotencyKeyOf(exchange);
    const account = this.facts.identities.accountOf(exchange);
    return [...this.facts.jobs.values()].some(
      (job) =>
        job.idempotencyKey === key &&
        key !== undefined &&
        job.account === account &&
        job.sentMs <= exchange.atMs &&
        job.acceptedMs >= exchange.sentMs,
    );
  }
}

/** The clause by which credentials of a document must be refused. */
function whatIsWrongWith(authentication: unknown): ClauseId | undefined {
  if (!isObject(authentication)) return undefined;
  const { type, credentials } = authentication;
  if (!AUTHENTICATION_TYPES.includes(type)) return 'print-jobs/document-authentication-type';
  const isWhole =
    isObject(credentials) && typeof credentials['user'] === 'string' && typeof credentials['pass'] === 'string';
  return isWhole ? undefined : 'print-jobs/document-authentication-credentials';
}

/** In seconds. How much longer a service keeps jobs, and how many copies it takes, is open. */
const EXPIRES_SURELY = LIMITS.expireAfterDefaultSeconds.value;
/** A century. */
const LONGEST_EXPIRY = 3_153_600_000;

/** What any service takes as a title. */
const SHORT_TEXT = 255;

function isShortText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= SHORT_TEXT;
}

function isFrom1(value: unknown, most: number): boolean {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) <= most;
}

/** Scenarios use ids from here on for printers that do not exist. */
const UNKNOWN_FROM = 900_000_000;

function acceptanceClause(use: string | undefined, key: string | undefined, sent: unknown): ClauseId {
  if (use === 'free-again') return 'limits/idempotency-reuse';
  if (key !== undefined) return 'print-jobs/idempotency-first-accepted';
  const type = isObject(sent) ? sent['contentType'] : undefined;
  return type === 'pdf_uri' ? 'print-jobs/content-type-pdf-uri' : 'print-jobs/created-201';
}
