/**
 * Hook settings: the webhooks of every account as callers have set them, version after version. The lists that a
 * service answers are judged by them.
 */

import { isObject, type JsonObject } from '../../common/json-value.ts';
import { EVERY_MESSAGE } from '../../spec/inputs.ts';
import { LIMITS } from '../../spec/limits.ts';
import type { ClauseId } from '../../spec/clauses.ts';
import { isGood, isRefused, partsOf, records, TOO_MANY, type AccountJudge, type Findings } from './account-judge.ts';
import type { Facts } from './job-facts.ts';
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

export class HookSettings implements AccountJudge {
  readonly hooks = new Map<number, Hook>();
  readonly #findings: Findings;
  readonly #facts: Facts;
  readonly #wasFull = new Set<string>();
  readonly #isUnsure = new Set<string>();
  /** The place of the last answer or quiet: a request about webhooks was sent after it. */
  #settledPlace = 0;

  constructor(findings: Findings, facts: Facts) {
    this.#findings = findings;
    this.#facts = facts;
  }

  see(observation: Observation, place: number): void {
    if (observation.kind === 'silence' && observation.path.startsWith('/webhook'))
      for (const hook of this.hooks.values()) hook.isUnsure = true;
    if (observation.kind === 'exchange') this.#seeExchange(observation, place);
    if (observation.kind === 'exchange' || observation.kind === 'quiet') this.#settledPlace = place;
  }

  #seeExchange(observation: SeenExchange, place: number): void {
    const { method, path, status } = partsOf(observation);
    if (!path.startsWith('/webhook') || status === TOO_MANY || status === 401 || status === 403) return;
    const account = this.#facts.identities.accountOf(observation);
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
    const broke = (clause: ClauseId, expected: string): void =>
      this.#findings.broke(clause, `status of ${at}`, expected, String(status));
    if (isGood(status)) {
      if (wrong !== undefined) broke(wrong, 'a refusal');
      if (count >= MOST) broke('limits/webhooks-sixth-refused', 'a refusal');
      this.#takeNew(value, sent, { account, place, atMs });
      if (this.live(account).length === MOST) this.#wasFull.add(account);
    } else if (
      wrong === undefined &&
      isRefused(status) &&
      // Others at the same time may have been there before it.
      exchange.together === undefined &&
      count < MOST &&
      this.#isSettings(sent) &&
      this.#isNewAddress(sent, account) &&
      this.#isKnown(account)
    ) {
      broke(this.#wasFull.has(account) ? 'limits/webhooks-freed' : 'webhooks/create', 'a success');
    }
  }

  /** Whether two webhooks may have one address is open. */
  #isNewAddress(sent: unknown, account: string): boolean {
    if (this.#findings.circumstances.isReference) return true;
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
    if (!fresh) {
      this.#isUnsure.add(account);
      return this.#findings.broke('webhooks/create', 'POST /webhook', `a new webhook for ${url}`, value);
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
    const broke = (clause: ClauseId, expected: string): void =>
      this.#findings.broke(clause, `status of ${at}`, expected, String(status));
    if (isGood(status) && wrong !== undefined) broke('webhooks/update-star-with-others-refused', 'a refusal');
    if (isRefused(status) && isOwn && wrong === undefined && this.#hasKnownTypes(sent))
      broke('webhooks/update', 'a success');
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
    if (!isGood(status)) return this.#findings.broke('webhooks/delete', `status of ${at}`, 'a success', String(status));
    hook.deletedPlace = place;
    const last = hook.versions.at(-1);
    if (last) last.untilPlace = this.#settledPlace;
  }

  /** The list is that of the account; that of a change or deletion may be from before. */
  #judgeList(exchange: SeenExchange, account: string): void {
    const { method, at } = partsOf(exchange);
    const { value } = exchange;
    if (!Array.isArray(value)) {
      const clauses: Readonly<Record<string, ClauseId>> = {
        POST: 'webhooks/create-answers-list',
        PATCH: 'webhooks/update-answers-list',
        DELETE: 'webhooks/delete-answers-list',
      };
      return this.#findings.broke(clauses[method] ?? 'webhooks/list', `body of ${at}`, 'an array', value);
    }
    if (!this.#isKnown(account)) return;
    if (method === 'PATCH' || method === 'DELETE') return;
    const shown = new Map(records(value).map((one) => [Number(one['webhookId']), one]));
    const live = this.live(account);
    if (shown.size !== value.length)
      this.#findings.broke('webhooks/id-assigned-by-service', `body of ${at}`, 'an id for each webhook', value);
    for (const hook of live) this.#judgeHook(hook, shown.get(hook.id), at);
    const stranger = [...shown.keys()].find((id) => !live.some((hook) => hook.id === id));
    if (stranger === undefined) return;
    const known = this.hooks.get(stranger);
    const clause = known === undefined ? 'limits/webhooks-none-at-first' : 'webhooks/delete';
    const actual = `webhook ${stranger}`;
    const isForeign = known !== undefined && known.account !== account;
    this.#findings.broke(isForeign ? 'webhooks/list-own-only' : clause, `body of ${at}`, 'its webhooks alone', actual);
  }

  #judgeHook(hook: Hook, shown: JsonObject | undefined, at: string): void {
    const wanted = hook.versions.at(-1);
    if (!wanted) return;
    const where = `webhook ${hook.id} in ${at}`;
    if (!shown) return this.#findings.broke('webhooks/delete-leaves-other-webhooks', where, 'shown', 'not in the list');
    const isFirst = hook.versions.length === 1;
    const unlike = this.#findings.unlike.bind(this.#findings);
    unlike(isFirst ? 'webhooks/create-url' : 'webhooks/update-url', where, wanted.url, shown['url']);
    unlike(isFirst ? 'webhooks/create-secret' : 'webhooks/update-secret', where, wanted.secret, shown['secret']);
    unlike(
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
    return this.#findings.circumstances.dialect['message-types'];
  }

  #hasKnownTypes(sent: unknown): boolean {
    const messages = isObject(sent) ? (sent['messages'] ?? []) : undefined;
    const known: readonly unknown[] = [EVERY_MESSAGE.value, ...Object.values(this.#spellings ?? {})];
    return Array.isArray(messages) && messages.every((message) => known.includes(message));
  }

  #isSettings(sent: unknown): boolean {
    return isObject(sent) && typeof sent['url'] === 'string' && this.#hasKnownTypes(sent);
  }

  #isKnown(account: string): boolean {
    return this.#findings.isWholeOf(account) && !this.#isUnsure.has(account);
  }
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
