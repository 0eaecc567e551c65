/**
 * Judge of accounts: what an account says of itself: its names, state, tags, keys and Children.
 */

import { decoded } from '../../common/form-decoded.ts';
import { isObject, showValue, type JsonObject } from '../../common/json-value.ts';
import type { ClauseId } from '../../specification/clauses.ts';
import { TAG_NAME } from '../../specification/inputs.ts';
import { LIMITS } from '../../specification/limits.ts';
import { showsTag } from '../shown-tag.ts';
import { isGood, isRefused, partsOf, TOO_MANY, type AccountJudge, type Findings } from './account-judge.ts';
import { FactJudge, type Facts } from './job-facts.ts';
import type { Observation, SeenExchange } from './observation.ts';
import {
  childOf,
  isForChild,
  keysIn,
  NAMES,
  setTag,
  settleTag,
  type NameField,
  type Parties,
  type Party,
} from './parties.ts';
import type { Presence } from './presence.ts';

const TAG_NAME_PATTERN = new RegExp(TAG_NAME.pattern);

export class PartyJudge extends FactJudge implements AccountJudge {
  readonly #parties: Parties;
  readonly #computers = new Map<string | undefined, Set<number>>();
  readonly #presence: Presence;
  #isQuiet = false;

  constructor(findings: Findings, facts: Facts, { parties, presence }: { parties: Parties; presence: Presence }) {
    super(findings, facts);
    this.#parties = parties;
    this.#presence = presence;
  }

  see(observation: Observation): void {
    if (observation.kind === 'quiet') this.#isQuiet = true;
    else if (observation.kind !== 'exchange') this.#isQuiet = false;
    if (observation.kind === 'exchange') this.#seeExchange(observation);
    if (observation.kind === 'connected') {
      const account = this.facts.identities.accountOfKey(observation.apiKey);
      this.#computers.set(account, (this.#computers.get(account) ?? new Set()).add(observation.computerId));
    }
  }

  #seeExchange(exchange: SeenExchange): void {
    const { method, path, status } = partsOf(exchange);
    if (status === TOO_MANY) return;
    if (status === 401) return;
    const account = this.facts.identities.accountOf(exchange);
    if (method === 'POST' && path === '/account') return this.#create(exchange);
    if (path === '/account' && method === 'PATCH') return this.#update(exchange, account);
    if (path === '/account' && method === 'DELETE') return this.#delete(exchange, account);
    if (path === '/account/state') return this.#state(exchange, account);
    if (path === '/whoami' && isGood(status)) return this.#judgeWhoami(exchange, account, exchange.value);
    // The specification prints only one thing that a suspended account may still do: read its state.
    if (this.#parties.of(account).state === 'suspended' && !isGood(status)) return;
    if (path.startsWith('/account/tag/')) return this.#tag(exchange, account);
    if (path.startsWith('/account/apikey/')) return this.#key(exchange, account);
    if (path === '/account/controllable' && isGood(status)) return this.#judgeControllable(exchange);
    const isOfComputers = path === '/computers' || path.startsWith('/computers/');
    if (method === 'DELETE' && isOfComputers && Array.isArray(exchange.value)) {
      for (const id of exchange.value) this.#computers.get(account)?.delete(Number(id));
    }
  }

  #create(exchange: SeenExchange): void {
    const { status, at } = partsOf(exchange);
    const { sent, value } = exchange;
    const wanted = isObject(sent) && isObject(sent['Account']) ? sent['Account'] : undefined;
    if (!wanted) return;
    const tags = isObject(sent) && isObject(sent['Tags']) ? Object.entries(sent['Tags']) : [];
    const isTagged = tags.every(([name]) => isTagName(name));
    const wrong = this.#whatIsWrong(wanted) ?? (isTagged ? undefined : 'accounts/tag-name-other-refused');
    const account = this.facts.identities.accountOf(exchange);
    if (wrong !== undefined) {
      this.findings.hold(wrong, `status of ${at}`, !isGood(status), 'a refusal', String(status));
      return;
    }
    // Whether the account may have Children, only an earlier success tells; and others may have taken its address.
    const mustBeTaken = this.#canCreate.has(account) && this.#isAlone && isPlainAccount(sent);
    if (isGood(status) || mustBeTaken)
      this.findings.hold('accounts/create', `status of ${at}`, isGood(status), 'a success', String(status));
    if (!isGood(status)) return;
    this.#canCreate.add(account);
    const made = isObject(value) && isObject(value['Account']) ? value['Account'] : value;
    // Where the answer has the account is not printed.
    if (!isObject(made) || typeof made['id'] !== 'number') return;
    const names = Object.keys(NAMES).flatMap((name) =>
      wanted[name] === undefined ? [] : [[name as NameField, { value: wanted[name], isChanged: false }] as const],
    );
    const id = String(made['id']);
    this.#parties.all.set(id, {
      names: new Map(names),
      tags: new Map(tags),
      openTags: new Map(),
      state: 'active',
      isDeleted: false,
      isWhole: true,
    });
    if (isObject(value) && isObject(value['ApiKeys']))
      for (const [name, key] of Object.entries(value['ApiKeys']))
        this.#parties.takeKey(`${id} ${name}`, keysIn(key), id);
  }

  /** Whether no account can have taken an address but those that were seen. */
  get #isAlone(): boolean {
    const { isWhole, ownAccount } = this.findings.circumstances;
    return isWhole && ownAccount === undefined;
  }

  readonly #canCreate = new Set<string>();

  #whatIsWrong({ firstname, lastname, email, password, creatorRef }: JsonObject): ClauseId | undefined {
    if (firstname === undefined) return 'accounts/create-firstname-missing-refused';
    if (lastname === undefined) return 'accounts/create-lastname-missing-refused';
    if (email === undefined) return 'accounts/create-email-missing-refused';
    if (password === undefined) return 'accounts/create-password-missing-refused';
    if (typeof password === 'string' && !isLong(password)) return 'limits/password-under-refused';
    const isTaken = creatorRef !== undefined && this.#parties.isTaken(creatorRef);
    return isTaken ? 'accounts/create-creator-ref-unique' : undefined;
  }

  #update(exchange: SeenExchange, account: string): void {
    const { status, at } = partsOf(exchange);
    const { sent, value } = exchange;
    if (!isObject(sent)) return;
    const party = this.#parties.of(account);
    const isPlain = Object.entries(sent).every(
      ([name, text]) => typeof text === 'string' && (name === 'password' ? isLong(text) : isName(name, text)),
    );
    const { creatorRef } = sent;
    const isOfChild = this.facts.children.has(account);
    const hold = (clause: ClauseId, isKept: boolean, expected: string): boolean =>
      this.findings.hold(clause, `status of ${at}`, isKept, expected, String(status));
    const isTaken = isOfChild && creatorRef !== undefined && this.#parties.isTaken(creatorRef, account);
    if (isTaken) hold('accounts/update-creator-ref-unique', !isGood(status), 'a refusal');
    const mayRefuse = isTaken || party.state === 'suspended' || status === 403;
    if (isGood(status) || (isPlain && isRefused(status) && !mayRefuse))
      hold('password' in sent ? 'accounts/update-password' : 'accounts/update', isGood(status), 'a success');
    if (!isGood(status)) return;
    for (const name of Object.keys(NAMES) as NameField[])
      if (sent[name] !== undefined) party.names.set(name, { value: sent[name], isChanged: true });
    this.#judgeWhoami(exchange, account, value, 'accounts/update-answer-shows-change');
  }

  #delete(exchange: SeenExchange, account: string): void {
    const { status, at } = partsOf(exchange);
    const child = childOf(exchange);
    if (!this.facts.children.has(child ?? account)) return;
    // Whether an account may delete itself is not printed.
    if (isGood(status) || child !== undefined)
      this.findings.hold('accounts/delete', `status of ${at}`, isGood(status), 'a success', String(status));
    if (isGood(status) && this.facts.children.has(account)) this.#parties.of(account).isDeleted = true;
  }

  #state(exchange: SeenExchange, account: string): void {
    const { method, status, at } = partsOf(exchange);
    const party = this.#parties.of(account);
    const { sent, value } = exchange;
    if (
      method === 'GET' &&
      party.state === 'active' &&
      !this.findings.hold('accounts/state-read', `status of ${at}`, !isRefused(status), 'a state', String(status))
    )
      return;
    if (method === 'GET' && isGood(status)) {
      const clause = party.state === 'active' ? 'accounts/state-active' : 'accounts/state-suspended';
      if (this.#isTold(party, account))
        this.findings.hold(clause, `body of ${at}`, value === party.state, party.state, value);
    }
    if (method !== 'PUT' || !this.facts.children.has(childOf(exchange) ?? account)) return;
    if (sent !== 'active' && sent !== 'suspended') {
      this.findings.hold(
        'accounts/state-other-refused',
        `status of ${at}`,
        !isGood(status),
        'a refusal',
        String(status),
      );
      return;
    }
    const clause = sent === 'active' ? 'accounts/state-activate' : 'accounts/state-suspend';
    // Whether an account may become what it is already is open.
    const isChange = sent !== party.state || this.findings.circumstances.isReference;
    // An account does not change the state of itself.
    const mustBeTaken = isRefused(status) && isChange && isForChild(exchange);
    if (isGood(status) || mustBeTaken)
      this.findings.hold(clause, `status of ${at}`, isGood(status), 'a success', String(status));
    if (isGood(status)) party.state = sent;
  }

  /** Whether its state is known: it was made, or changed, during the history. */
  #isTold({ isWhole }: Party, account: string): boolean {
    return isWhole || this.findings.isWholeOf(account);
  }

  #judgeWhoami(exchange: SeenExchange, account: string, value: unknown, changed?: ClauseId): void {
    const { at } = partsOf(exchange);
    const isShown = isObject(value);
    const shape = changed === undefined ? 'accounts/whoami' : 'accounts/update-answers-like-whoami';
    this.findings.hold(shape, `body of ${at}`, isShown, 'an account object', value);
    if (!isShown) return;
    const party = this.#parties.of(account);
    const whose = account === '' ? '' : ` of account ${account}`;
    const hold = (clause: ClauseId, what: string, isKept: boolean, wanted: unknown, actual: unknown): boolean =>
      this.findings.hold(clause, `${what}${whose} in ${at}`, isKept, showValue(wanted), actual);
    // Without X-Account it is not known.
    if (account !== '') hold('accounts/field-id', 'id', String(value['id']) === account, account, value['id']);
    for (const [name, { value: wanted, isChanged }] of party.names) {
      const clause = isChanged ? (changed ?? NAMES[name][1]) : NAMES[name][0];
      hold(clause, name, value[name] === wanted, wanted, value[name]);
    }
    for (const name of Object.keys(NAMES) as NameField[])
      if (!party.names.has(name)) party.names.set(name, { value: value[name], isChanged: false });
    if (this.#isTold(party, account))
      hold('accounts/state-in-account-object', 'state', value['state'] === party.state, party.state, value['state']);
    if (this.#isTold(party, account)) this.#judgeTags(party, value['Tags'], hold);
    this.#judgeComputers(account, value, hold);
  }

  #judgeTags(
    party: Party,
    shown: unknown,
    hold: (clause: ClauseId, what: string, isKept: boolean, wanted: unknown, actual: unknown) => boolean,
  ): void {
    const text = JSON.stringify(shown ?? null);
    for (const name of party.openTags.keys()) settleTag(party, name, text);
    for (const [name, value] of party.tags) {
      hold('accounts/tag-in-account-object', 'Tags', showsTag(shown, name, value), { [name]: value }, shown);
    }
    if (party.tags.size === 0 && isObject(shown))
      hold('accounts/tags-per-account', 'Tags', Object.keys(shown).length === 0, [], shown);
  }

  #judgeComputers(
    account: string,
    { numComputers, connected }: JsonObject,
    hold: (clause: ClauseId, what: string, isKept: boolean, wanted: unknown, actual: unknown) => boolean,
  ): void {
    if (!this.findings.isWholeOf(account)) return;
    const own = this.#computers.get(account) ?? new Set();
    const most = own.size + this.#presence.unwelcomedBeside(account, own);
    hold(
      'accounts/num-computers-counts',
      'numComputers',
      typeof numComputers === 'number' && numComputers >= own.size && numComputers <= most,
      own.size,
      numComputers,
    );
    const { isLinkDisturbed, isVirtual } = this.findings.circumstances;
    const live = [...own].filter((id) => this.#presence.isSurelyConnected(id));
    const isSame = Array.isArray(connected) && live.every((id) => isNamedIn(connected, String(id)));
    if (this.#isQuiet && isVirtual && !isLinkDisturbed)
      hold('accounts/field-connected', 'connected', isSame, live, connected);
  }

  #tag(exchange: SeenExchange, account: string): void {
    const { method, path, status, at } = partsOf(exchange);
    const name = lastPartOf(path);
    const party = this.#parties.of(account);
    const { sent, value } = exchange;
    const isValid = isTagName(name);
    const hold = (clause: ClauseId, isKept: boolean, expected: string): boolean =>
      this.findings.hold(clause, at, isKept, expected, `${status} ${showValue(value)}`);
    if (!isValid) {
      hold('accounts/tag-name-other-refused', !isGood(status), 'a refusal');
      return;
    }
    const has = party.tags.has(name);
    if (method === 'POST') {
      const isKnownBody = this.findings.circumstances.dialect['tag-body'] === 'json-string';
      if (isGood(status) || (isKnownBody && isTagValue(sent)))
        hold(has ? 'accounts/tag-update' : 'accounts/tag-create', isGood(status), 'a success');
      if (isGood(status)) setTag(party, name, exchange);
    }
    if (method === 'DELETE') {
      if (has) hold('accounts/tag-delete', isGood(status), 'a success');
      if (isGood(status)) party.tags.delete(name);
    }
    if (method !== 'GET' || !this.#isTold(party, account)) return;
    settleTag(party, name, JSON.stringify(value));
    if (has)
      hold(
        'accounts/tag-read',
        isGood(status) && JSON.stringify(value).includes(JSON.stringify(party.tags.get(name))),
        showValue(party.tags.get(name)),
      );
    if (!has) hold('accounts/tag-read-missing', !isGood(status), 'a refusal');
  }

  #key(exchange: SeenExchange, account: string): void {
    const { method, path, status, at } = partsOf(exchange);
    const name = `${account} ${lastPartOf(path)}`;
    const { value } = exchange;
    const known = this.#parties.keys.get(name);
    const hold = (clause: ClauseId, isKept: boolean, expected: string): boolean =>
      this.findings.hold(clause, at, isKept, expected, `${status} ${showValue(value)}`);
    if (method === 'POST') {
      // What becomes of a second one of that name is not printed.
      if (isGood(status) || (!known && !this.#mayRefuseKey(account)))
        hold('accounts/api-key-create', isGood(status), 'a success');
      if (!isGood(status)) return;
      if (known === undefined)
        hold(
          'accounts/api-key-many',
          ![...this.#parties.keys.values()].some(({ keys }) => isSame(keys, keysIn(value))),
          'a key of its own',
        );
      this.#parties.takeKey(name, keysIn(value), account);
    }
    if (method === 'GET' && known) {
      // The answer to its creation need not show the key, nor a record of it.
      const isNew = known.keys.length === 0;
      const isShown = isNew || isObject(value) || keysIn(value).some((key) => known.keys.includes(key));
      const isRead = hold('accounts/api-key-read', isGood(status) && isShown, 'the key');
      if (isRead && isNew) this.#parties.takeKey(name, keysIn(value), account);
    }
    if (method !== 'DELETE' || !known) return;
    // The last key of an account may be kept.
    if (status !== 403) hold('accounts/api-key-delete', isGood(status), 'a success');
    if (isGood(status)) this.#parties.revokeKey(name);
  }

  /** The name may be in use where not all of the account is known; and which body it takes is not printed. */
  #mayRefuseKey(account: string): boolean {
    return !this.findings.isWholeOf(account) || this.findings.circumstances.dialect['api-key-body'] !== 'none';
  }

  #judgeControllable(exchange: SeenExchange): void {
    const { at } = partsOf(exchange);
    const account = this.facts.identities.accountOf(exchange);
    for (const [child, party] of this.#parties.all) {
      if (this.facts.children.get(child) !== account || party.isDeleted) continue;
      this.findings.hold(
        'accounts/controllable',
        at,
        isNamedIn(exchange.value, child),
        `account ${child}`,
        exchange.value,
      );
    }
  }
}

/** Whether an id stands anywhere in a value whose shape is not printed: 1 does not stand in 12. */
function isNamedIn(value: unknown, id: string): boolean {
  return new RegExp(`(?<!\\d)${id}(?!\\d)`).test(JSON.stringify(value));
}

function lastPartOf(path: string): string {
  return decoded(path.slice(path.lastIndexOf('/') + 1));
}

/** Whether a service has no reason to refuse it: texts are short, keys are few, and all that it sets is printed. */
function isPlainAccount(sent: unknown): boolean {
  if (!isObject(sent)) return false;
  const { Account: account, Tags: tags = {}, ApiKeys: keys = [], ...others } = sent;
  return (
    isObject(account) &&
    Object.values(account).every((value) => typeof value === 'string' && PLAIN_VALUE.test(value)) &&
    isObject(tags) &&
    Object.values(tags).every(isTagValue) &&
    Array.isArray(keys) &&
    keys.length <= MOST_PLAIN_KEYS &&
    new Set(keys).size === keys.length &&
    keys.every(isPlainName) &&
    Object.keys(others).length === 0
  );
}

const PLAIN_VALUE = /^[ -~]{1,60}$/;
const PLAIN_NAME = /^[\w-]{1,16}$/;
/** How many keys an account may be made with is open. */
const MOST_PLAIN_KEYS = 3;
function isPlainName(name: unknown): boolean {
  return typeof name === 'string' && PLAIN_NAME.test(name);
}

function isTagValue(value: unknown): boolean {
  return typeof value === 'string' && Buffer.byteLength(value) <= LIMITS.creationTagValueBytes.value;
}

function isTagName(name: string): boolean {
  return TAG_NAME_PATTERN.test(name) && name.length <= TAG_NAME.maxLength;
}

function isLong(password: string): boolean {
  return Buffer.byteLength(password) >= LIMITS.passwordBytes.value;
}

function isName(field: string, text: string): boolean {
  return field.endsWith('name') && text !== '';
}

function isSame(keys: readonly string[], others: readonly string[]): boolean {
  return others.length > 0 && others.every((key) => keys.includes(key));
}
