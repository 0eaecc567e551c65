/**
 * Hook settings: the webhooks of every account as callers have set them, version after version. The lists that a
 * service answers are judged by them.
 */

import { isObject, type JsonObject } from '../../common/json-value.ts';
import { EVERY_MESSAGE } from '../../specification/inputs.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { ClauseId } from '../../specification/clauses.ts';
import { isGood, isRefused, partsOf, records, TOO_MANY, type AccountJudge } from './account-judge.ts';
import { FactJudge } from './job-facts.ts';
import type { EventType, Observation, SeenExchange } from './observation.ts';

const MOST = LIMITS.webhooksPerAccount.value;

/** What a webhook was set to, from one observation to another. */
export interface HookVersion {
  readonly url: string;
  readonly secret: string;
  readonly messages: readonly string[];
  readonly fromPlace: number;
  readonly fromMs: number;
  /** Up to and with what was seen there, it was surely in force. */
  untilPlace: number;
}

export interface Hook {
  readonly id: number;
  readonly account: string;
  readonly versions: HookVersion[];
  deletedPlace: number;
  /** A request about it got no answer that tells what became of it. */
  isUnsure: boolean;
}

type Settings = Pick<HookVersion, 'url' | 'secret' | 'messages'>;

export class HookSettings extends FactJudge implements AccountJudge {
  readonly hooks = new Map<number, Hook>();
  readonly #wasFull = new Set<string>();
  readonly #isUnsure = new Set<string>();
  /** The place of the last answer or quiet: a request about webhooks was sent after it. */
  #settledPlace = 0;

  see(observation: Observation, place: number): void {
    if (observation.kind === 'silence' && observation.path.startsWith('/webhook'))
      for (const hook of this.hooks.values()) hook.isUnsure = true;
    if (observation.kind === 'exchange') this.#seeExchange(observation, place);
    if (observation.kind === 'exchange' || observation.kind === 'quiet') this.#settledPlace = place;
  }

  #seeExchange(observation: SeenExchange, place: number): void {
    const { method, path, status } = partsOf(observation);
    if (!path.startsWith('/webhook') || status === TOO_MANY || status === 401 || status === 403) return;
    const account = this.facts.identities.accountOf(observation);
    if (method === 'POST' && path === '/webhook') this.#create(observation, account, place);
    const id = Number(/^\/webhook\/(\d+)$/.exec(path)?.[1]);
    if (method === 'PATCH' && id > 0) this.#change(observation, account, { id, place });
    if (method === 'DELETE') this.#remove(observation, account, { id, place });
    if (isGood(status) && observation.together === undefined) this.#judgeList(observation, account);
  }

  /** Those that the account has now. */
  live(account: string): readonly Hook[] {
    return [...this.hooks.values()].filter((hook) => hook.account === account && hook.deletedPlace === Infinity);
  }

  #create(exchange: SeenExchange, account: string, place: number): void {
    const { sent, value, atMs } = exchange;
    const { status, at } = partsOf(exchange);
    const wrong = whatIsWrong(sent, ['url', 'secret', 'messages']);
    const count = this.live(account).length;
    const hold = (clause: ClauseId, isKept: boolean, expected: string): boolean =>
      this.findings.hold(clause, `status of ${at}`, isKept, expected, String(status));
    if (wrong !== undefined) hold(wrong, !isGood(status), 'a refusal');
    else if (count >= MOST) hold('limits/webhooks-sixth-refused', !isGood(status), 'a refusal');
    else if (isGood(status) || this.#mustBeTaken(exchange, account))
      hold(this.#wasFull.has(account) ? 'limits/webhooks-freed' : 'webhooks/create', isGood(status), 'a success');
    if (!isGood(status)) return;
    this.#takeNew(value, sent, { account, place, atMs });
    if (this.live(account).length === MOST) this.#wasFull.add(account);
  }

  /** Whether nothing speaks for its refusal. */
  #mustBeTaken(exchange: SeenExchange, account: string): boolean {
    const { sent, together } = exchange;
    const isSurelyValid = this.#isSettings(sent) && this.#isNewAddress(sent, account);
    return isRefused(partsOf(exchange).status) && together === undefined && isSurelyValid && this.#isKnown(account);
  }

  /** Whether two webhooks may have one address is open. */
  #isNewAddress(sent: unknown, account: string): boolean {
    if (this.findings.circumstances.isReference) return true;
    const url = isObject(sent) ? sent['url'] : undefined;
    return !this.live(account).some(({ versions }) => versions.at(-1)?.url === url);
  }

  #takeNew(
    value: unknown,
    sent: unknown,
    { account, place, atMs }: { readonly account: string; readonly place: number; readonly atMs: number },
  ): void {
    if (!isObject(sent)) return;
    const { url, secret, messages } = sent as Partial<Settings>;
    const fresh = records(value).find((one) => one['url'] === url && !this.hooks.has(Number(one['webhookId'])));
    this.findings.hold('webhooks/create', 'POST /webhook', fresh !== undefined, `a new webhook for ${url}`, value);
    if (!fresh) {
      this.#isUnsure.add(account);
      return;
    }
    const settings = { url: url ?? '', secret: secret ?? '', messages: messages ?? [] };
    const version = { ...settings, fromPlace: place, fromMs: atMs, untilPlace: Infinity };
    const id = Number(fresh['webhookId']);
    this.hooks.set(id, { id, account, versions: [version], deletedPlace: Infinity, isUnsure: false });
  }

  #change(
    exchange: SeenExchange,
    account: string,
    { id, place }: { readonly id: number; readonly place: number },
  ): void {
    const { sent, atMs } = exchange;
    const { status, at } = partsOf(exchange);
    const hook = this.hooks.get(id);
    const wrong = whatIsWrong(sent, []);
    const isOwn = hook?.account === account && hook.deletedPlace === Infinity;
    const hold = (clause: ClauseId, isKept: boolean, expected: string): boolean =>
      this.findings.hold(clause, `status of ${at}`, isKept, expected, String(status));
    if (wrong !== undefined) hold('webhooks/update-star-with-others-refused', !isGood(status), 'a refusal');
    else if (isOwn && (isGood(status) || (isRefused(status) && this.#hasKnownTypes(sent) && isPlain(sent))))
      hold('webhooks/update', isGood(status), 'a success');
    const last = hook?.versions.at(-1);
    if (!isGood(status) || !isOwn || !last || !isObject(sent)) return;
    last.untilPlace = this.#settledPlace;
    const from = { fromPlace: place, fromMs: atMs };
    hook.versions.push({ ...last, ...(sent as Partial<Settings>), ...from, untilPlace: Infinity });
  }

  #remove(
    exchange: SeenExchange,
    account: string,
    { id, place }: { readonly id: number; readonly place: number },
  ): void {
    const { status, at } = partsOf(exchange);
    const hook = this.hooks.get(id);
    if (hook?.account !== account || hook.deletedPlace !== Infinity) return;
    if (!this.findings.hold('webhooks/delete', `status of ${at}`, isGood(status), 'a success', String(status))) return;
    hook.deletedPlace = place;
    const last = hook.versions.at(-1);
    if (last) last.untilPlace = this.#settledPlace;
  }

  /** The list is that of the account; that of a change or deletion may be from before. */
  #judgeList(exchange: SeenExchange, account: string): void {
    const { method, at } = partsOf(exchange);
    const { value } = exchange;
    const isList = Array.isArray(value);
    this.findings.hold(LIST_CLAUSES[method] ?? 'webhooks/list', `body of ${at}`, isList, 'an array', value);
    if (!isList) return;
    if (!this.#isKnown(account)) return;
    if (method === 'PATCH' || method === 'DELETE') return;
    const shown = new Map(records(value).map((one) => [Number(one['webhookId']), one]));
    const live = this.live(account);
    this.findings.hold(
      'webhooks/id-assigned-by-service',
      `body of ${at}`,
      shown.size === value.length,
      'an id for each webhook',
      value,
    );
    for (const hook of live) this.#judgeHook(hook, shown.get(hook.id), at);
    const stranger = [...shown.keys()].find((id) => !live.some((hook) => hook.id === id));
    const clause = this.#strangerClause(stranger, account);
    const actual = `webhook ${stranger}`;
    this.findings.hold(clause, `body of ${at}`, stranger === undefined, 'its webhooks alone', actual);
  }

  /** The clause that a webhook breaks which should not be shown; and the one that is kept where no such webhook is. */
  #strangerClause(stranger: number | undefined, account: string): ClauseId {
    const known = stranger === undefined ? undefined : this.hooks.get(stranger);
    const owner = stranger === undefined ? account : known?.account;
    if (owner !== undefined && owner !== account) return 'webhooks/list-own-only';
    const hadOne = stranger === undefined && [...this.hooks.values()].some((hook) => hook.account === account);
    return known || hadOne ? 'webhooks/delete' : 'limits/webhooks-none-at-first';
  }

  #judgeHook(hook: Hook, shown: JsonObject | undefined, at: string): void {
    const wanted = hook.versions.at(-1);
    if (!wanted) return;
    const where = `webhook ${hook.id} in ${at}`;
    const isShown = shown !== undefined;
    this.findings.hold('webhooks/delete-leaves-other-webhooks', where, isShown, 'shown', 'not in the list');
    if (!isShown) return;
    const isFirst = hook.versions.length === 1;
    const alike = this.findings.alike.bind(this.findings);
    alike(isFirst ? 'webhooks/create-url' : 'webhooks/update-url', where, wanted.url, shown['url']);
    alike(isFirst ? 'webhooks/create-secret' : 'webhooks/update-secret', where, wanted.secret, shown['secret']);
    alike(
      isFirst ? 'webhooks/create-messages' : 'webhooks/update-messages',
      where,
      inOrder(wanted.messages),
      inOrder(shown['messages']),
    );
  }

  /** Whether a webhook with these messages is triggered by a type of event; undefined where nothing tells. */
  triggers(messages: readonly string[], type: EventType): boolean | undefined {
    if (messages.includes(EVERY_MESSAGE.value)) return true;
    const spelling = this.#spellings?.[type];
    return spelling === undefined ? undefined : messages.includes(spelling);
  }

  get #spellings(): Readonly<Record<EventType, string>> | undefined {
    return this.findings.circumstances.dialect['message-types'];
  }

  #hasKnownTypes(sent: unknown): boolean {
    const messages = isObject(sent) ? (sent['messages'] ?? []) : undefined;
    const known: readonly unknown[] = [EVERY_MESSAGE.value, ...Object.values(this.#spellings ?? {})];
    return Array.isArray(messages) && messages.every((message) => known.includes(message));
  }

  #isSettings(sent: unknown): boolean {
    return isObject(sent) && typeof sent['url'] === 'string' && this.#hasKnownTypes(sent) && isPlain(sent);
  }

  #isKnown(account: string): boolean {
    return this.findings.isWholeOf(account) && !this.#isUnsure.has(account);
  }
}

const LIST_CLAUSES: Readonly<Record<string, ClauseId>> = {
  POST: 'webhooks/create-answers-list',
  PATCH: 'webhooks/update-answers-list',
  DELETE: 'webhooks/delete-answers-list',
};

/** Longer texts, and other characters, may be refused. */
const PLAIN_TEXT = /^[!-~]{1,100}$/;

/** Whether a service has no reason to refuse these settings: their address is one, and all that they set is printed. */
function isPlain(sent: unknown): boolean {
  if (!isObject(sent)) return false;
  const { url = 'http://unchanged', secret = 'unchanged', messages = ['unchanged'], ...others } = sent;
  const isAddress = isPlainText(url) && URL.canParse(url) && /^https?:/.test(url);
  const areMessages = Array.isArray(messages) && messages.length > 0;
  return isAddress && isPlainText(secret) && areMessages && Object.keys(others).length === 0;
}

function isPlainText(value: unknown): value is string {
  return typeof value === 'string' && PLAIN_TEXT.test(value);
}

/** The clause by which it must be refused. */
function whatIsWrong(sent: unknown, needed: readonly ('url' | 'secret' | 'messages')[]): ClauseId | undefined {
  if (!isObject(sent)) return undefined;
  const missing = needed.find((name) => sent[name] === undefined);
  if (missing !== undefined) return `webhooks/create-${missing}-missing-refused`;
  const { messages } = sent;
  const isMixed = Array.isArray(messages) && messages.length > 1 && messages.includes(EVERY_MESSAGE.value);
  return isMixed ? 'webhooks/messages-star-with-others-refused' : undefined;
}

/** They stand in no order of their own. */
function inOrder(messages: unknown): unknown {
  return Array.isArray(messages) ? messages.map(String).toSorted() : messages;
}
