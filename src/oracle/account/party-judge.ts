/**
 * Judge of accounts: what an account says of itself: its names, state, tags, keys and Children.
 */

import { isObject, showValue, type JsonObject } from '../../common/json-value.ts';
import type { ClauseId } from '../../spec/clauses.ts';
import { TAG_NAME } from '../../spec/inputs.ts';
import { LIMITS } from '../../spec/limits.ts';
import { isGood, isRefused, partsOf, TOO_MANY, type AccountJudge, type Findings } from './account-judge.ts';
import type { Facts } from './job-facts.ts';
import type { Observation, SeenExchange } from './observation.ts';
import { childOf, keysIn, NAMES, setTag, settleTag, type NameField, type Parties, type Party } from './parties.ts';
import type { Presence } from './presence.ts';

const TAG_NAME_PATTERN = new RegExp(TAG_NAME.pattern);

export class PartyJudge implements AccountJudge {
  readonly #findings: Findings;
  readonly #facts: Facts;
  readonly #parties: Parties;
  readonly #computers = new Map<string | undefined, Set<number>>();
  readonly #presence: Presence;
  #isQuiet = false;

  constructor(findings: Findings, facts: Facts, { parties, presence }: { parties: Parties; presence: Presence }) {
    this.#findings = findings;
    this.#facts = facts;
    this.#parties = parties;
    this.#presence = presence;
  }

  see(observation: Observation): void {
    if (observation.kind === 'quiet') this.#isQuiet = true;
    else if (observation.kind !== 'exchange') this.#isQuiet = false;
    if (observation.kind === 'exchange') this.#seeExchange(observation);
    if (observation.kind === 'connected') {
      const account = this.#facts.identities.accountOfKey(observation.apiKey);
      this.#computers.set(account, (this.#computers.get(account) ?? new Set()).add(observation.computerId));
    }
  }

  #seeExchange(exchange: SeenExchange): void {
    const { method, path, status } = partsOf(exchange);
    if (status === TOO_MANY) return;
    if (status === 401) return;
    const account = this.#facts.identities.accountOf(exchange);
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
    const account = this.#facts.identities.accountOf(exchange);
    if (wrong !== undefined) {
      if (isGood(status)) this.#findings.broke(wrong, `status of ${at}`, 'a refusal', String(status));
      return;
    }
    if (!isGood(status)) {
      // Whether the account may have Children, only an earlier success tells; and others may have taken its address.
      if (this.#canCreate.has(account) && this.#isAlone)
        this.#findings.broke('accounts/create', `status of ${at}`, 'a success', String(status));
      return;
    }
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
        this.#parties.keys.set(`${id} ${name}`, { keys: keysIn(key), account: id });
  }

  /** Whether no account can have taken an address but those that were seen. */
  get #isAlone(): boolean {
    const { isWhole, ownAccount } = this.#findings.circumstances;
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
    const isOfChild = this.#facts.children.has(account);
    if (isGood(status) && isOfChild && creatorRef !== undefined && this.#parties.isTaken(creatorRef, account))
      this.#findings.broke('accounts/update-creator-ref-unique', `status of ${at}`, 'a refusal', String(status));
    if (!isGood(status)) {
      const mayRefuse = party.state === 'suspended' || status === 403;
      if (isPlain && isRefused(status) && !mayRefuse)
        this.#findings.broke(
          'password' in sent ? 'accounts/update-password' : 'accounts/update',
          `status of ${at}`,
          'a success',
          String(status),
        );
      return;
    }
    for (const name of Object.keys(NAMES) as NameField[])
      if (sent[name] !== undefined) party.names.set(name, { value: sent[name], isChanged: true });
    this.#judgeWhoami(exchange, account, value, 'accounts/update-answer-shows-change');
  }

  #delete(exchange: SeenExchange, account: string): void {
    const { status, at } = partsOf(exchange);
    const child = childOf(exchange);
    if (child === undefined || !this.#facts.children.has(child)) return;
    if (!isGood(status)) return this.#findings.broke('accounts/delete', `status of ${at}`, 'a success', String(status));
    if (account === child) this.#parties.of(child).isDeleted = true;
  }

  #state(exchange: SeenExchange, account: string): void {
    const { method, status, at } = partsOf(exchange);
    const party = this.#parties.of(account);
    const { sent, value } = exchange;
    if (method === 'GET' && party.state === 'active' && isRefused(status))
      return this.#findings.broke('accounts/state-read', `status of ${at}`, 'a state', String(status));
    if (method === 'GET' && isGood(status)) {
      const clause = party.state === 'active' ? 'accounts/state-active' : 'accounts/state-suspended';
      if (this.#isTold(party, account) && value !== party.state)
        this.#findings.broke(clause, `body of ${at}`, party.state, value);
    }
    if (method !== 'PUT' || childOf(exchange) === undefined) return;
    if (sent !== 'active' && sent !== 'suspended') {
      if (isGood(status))
        this.#findings.broke('accounts/state-other-refused', `status of ${at}`, 'a refusal', String(status));
      return;
    }
    const clause = sent === 'active' ? 'accounts/state-activate' : 'accounts/state-suspend';
    // Whether an account may become what it is already is open.
    const mayRefuse = sent === party.state && !this.#findings.circumstances.isReference;
    if (isRefused(status) && !mayRefuse) this.#findings.broke(clause, `status of ${at}`, 'a success', String(status));
    if (isGood(status)) party.state = sent;
  }

  /** Whether its state is known: it was made, or changed, during the history. */
  #isTold({ isWhole }: Party, account: string): boolean {
    return isWhole || this.#findings.isWholeOf(account);
  }

  #judgeWhoami(exchange: SeenExchange, account: string, value: unknown, changed?: ClauseId): void {
    const { at } = partsOf(exchange);
    if (!isObject(value)) {
      const clause = changed === undefined ? 'accounts/whoami' : 'accounts/update-answers-like-whoami';
      return this.#findings.broke(clause, `body of ${at}`, 'an account object', value);
    }
    const party = this.#parties.of(account);
    const broke = (clause: ClauseId, what: string, wanted: unknown, actual: unknown): void =>
      this.#findings.broke(clause, `${what} of account ${account} in ${at}`, showValue(wanted), actual);
    if (String(value['id']) !== account) broke('accounts/field-id', 'id', account, value['id']);
    for (const [name, { value: wanted, isChanged }] of party.names) {
      if (value[name] === wanted) continue;
      broke(isChanged ? (changed ?? NAMES[name][1]) : NAMES[name][0], name, wanted, value[name]);
    }
    for (const name of Object.keys(NAMES) as NameField[])
      if (!party.names.has(name)) party.names.set(name, { value: value[name], isChanged: false });
    if (this.#isTold(party, account) && value['state'] !== party.state)
      broke('accounts/state-in-account-object', 'state', party.state, value['state']);
    if (this.#isTold(party, account)) this.#judgeTags(party, value['Tags'], broke);
    this.#judgeComputers(account, value, broke);
  }

  #judgeTags(
    party: Party,
    shown: unknown,
    broke: (clause: ClauseId, what: string, wanted: unknown, actual: unknown) => void,
  ): void {
    const text = JSON.stringify(shown ?? null);
    for (const name of party.openTags.keys()) settleTag(party, name, text);
    for (const [name, value] of party.tags) {
      const isShown = text.includes(JSON.stringify(name)) && text.includes(JSON.stringify(value));
      if (!isShown) broke('accounts/tag-in-account-object', 'Tags', { [name]: value }, shown);
    }
    if (party.tags.size === 0 && isObject(shown) && Object.keys(shown).length > 0)
      broke('accounts/tags-per-account', 'Tags', [], shown);
  }

  #judgeComputers(
    account: string,
    { numComputers, connected }: JsonObject,
    broke: (clause: ClauseId, what: string, wanted: unknown, actual: unknown) => void,
  ): void {
    if (!this.#findings.isWholeOf(account)) return;
    const own = this.#computers.get(account) ?? new Set();
    const most = own.size + this.#presence.unwelcomedBeside(account, own);
    if (typeof numComputers !== 'number' || numComputers < own.size || numComputers > most)
      broke('accounts/num-computers-counts', 'numComputers', own.size, numComputers);
    const { isLinkDisturbed, isVirtual } = this.#findings.circumstances;
    const live = [...own].filter((id) => this.#presence.isSurelyConnected(id));
    const isSame = Array.isArray(connected) && live.every((id) => isNamedIn(connected, String(id)));
    if (this.#isQuiet && isVirtual && !isLinkDisturbed && !isSame)
      broke('accounts/field-connected', 'connected', live, connected);
  }

  #tag(exchange: SeenExchange, account: string): void {
    const { method, path, status, at } = partsOf(exchange);
    const name = lastPartOf(path);
    const party = this.#parties.of(account);
    const { sent, value } = exchange;
    const isValid = isTagName(name);
    const broke = (clause: ClauseId, expected: string): void =>
      this.#findings.broke(clause, at, expected, `${status} ${showValue(value)}`);
    if (!isValid) {
      if (isGood(status)) broke('accounts/tag-name-other-refused', 'a refusal');
      return;
    }
    const has = party.tags.has(name);
    if (method === 'POST') {
      if (isGood(status)) setTag(party, name, exchange);
      else if (typeof sent === 'string' && this.#findings.circumstances.dialect['tag-body'] === 'json-string')
        broke(has ? 'accounts/tag-update' : 'accounts/tag-create', 'a success');
    }
    if (method === 'DELETE') {
      if (isGood(status)) party.tags.delete(name);
      else if (has) broke('accounts/tag-delete', 'a success');
    }
    if (method !== 'GET' || !this.#isTold(party, account)) return;
    settleTag(party, name, JSON.stringify(value));
    if (has && !(isGood(status) && JSON.stringify(value).includes(JSON.stringify(party.tags.get(name)))))
      broke('accounts/tag-read', showValue(party.tags.get(name)));
    if (!has && isGood(status)) broke('accounts/tag-read-missing', 'a refusal');
  }

  #key(exchange: SeenExchange, account: string): void {
    const { method, path, status, at } = partsOf(exchange);
    const name = `${account} ${lastPartOf(path)}`;
    const { value } = exchange;
    const known = this.#parties.keys.get(name);
    const broke = (clause: ClauseId, expected: string): void =>
      this.#findings.broke(clause, at, expected, `${status} ${showValue(value)}`);
    if (method === 'POST') {
      if (!isGood(status)) {
        // What becomes of a second one of that name is not printed.
        if (!known && !this.#mayRefuseKey(account)) broke('accounts/api-key-create', 'a success');
        return;
      }
      if (known === undefined && [...this.#parties.keys.values()].some(({ keys }) => isSame(keys, keysIn(value))))
        broke('accounts/api-key-many', 'a key of its own');
      this.#parties.keys.set(name, { keys: keysIn(value), account });
    }
    if (method === 'GET' && known) {
      // The answer to its creation need not show the key, nor a record of it.
      const isNew = known.keys.length === 0;
      const isShown = isNew || isObject(value) || keysIn(value).some((key) => known.keys.includes(key));
      if (!isGood(status) || !isShown) broke('accounts/api-key-read', 'the key');
      else if (isNew) this.#parties.keys.set(name, { keys: keysIn(value), account });
    }
    if (method !== 'DELETE' || !known) return;
    // The last key of an account may be kept.
    if (!isGood(status)) return status === 403 ? undefined : broke('accounts/api-key-delete', 'a success');
    this.#parties.keys.delete(name);
    for (const key of known.keys) this.#parties.revoked.add(key);
  }

  /** The name may be in use where not all of the account is known; and which body it takes is not printed. */
  #mayRefuseKey(account: string): boolean {
    return !this.#findings.isWholeOf(account) || this.#findings.circumstances.dialect['api-key-body'] !== 'none';
  }

  #judgeControllable(exchange: SeenExchange): void {
    const { at } = partsOf(exchange);
    const account = this.#facts.identities.accountOf(exchange);
    for (const [child, party] of this.#parties.all) {
      if (this.#facts.children.get(child) !== account || party.isDeleted) continue;
      if (!isNamedIn(exchange.value, child))
        this.#findings.broke('accounts/controllable', at, `account ${child}`, exchange.value);
    }
  }
}

/** Whether an id stands anywhere in a value whose shape is not printed: 1 does not stand in 12. */
function isNamedIn(value: unknown, id: string): boolean {
  return new RegExp(`(?<!\\d)${id}(?!\\d)`).test(JSON.stringify(value));
}

function lastPartOf(path: string): string {
  return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
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
