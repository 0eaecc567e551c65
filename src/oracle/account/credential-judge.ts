/**
 * Judge of credentials: which keys work, for which account, and what an answer says of it.
 */

import { requestName } from '../../common/request-name.ts';
import type { ClauseId } from '../../specification/clauses.ts';
import { AUTHENTICATION_HEADERS, REQUEST_HEADERS } from '../../specification/headers.ts';
import { isGood, partsOf, TOO_MANY, type AccountJudge, type Findings } from './account-judge.ts';
import { FactJudge, type Facts } from './job-facts.ts';
import type { Observation, SeenExchange } from './observation.ts';
import { childOf, isForChild, type Parties } from './parties.ts';

const CHILD_BY_ID = REQUEST_HEADERS.childAccountById.name.toLowerCase();
const AUTHORIZED_AS = AUTHENTICATION_HEADERS.authorizedAs.name.toLowerCase();

export class CredentialJudge extends FactJudge implements AccountJudge {
  readonly #parties: Parties;
  /** Keys that have worked. */
  readonly #known = new Set<string>();
  /** How many of them there are, by their letters. */
  readonly #spellings = new Map<string, number>();

  constructor(findings: Findings, facts: Facts, parties: Parties) {
    super(findings, facts);
    this.#parties = parties;
  }

  see(observation: Observation): void {
    if (observation.kind !== 'exchange' || partsOf(observation).status === TOO_MANY) return;
    this.#judgeKey(observation);
    this.#judgeChildHeader(observation);
  }

  /** A key works until it is revoked; an account answers until it is deleted. */
  #judgeKey(exchange: SeenExchange): void {
    const { apiKey, http } = exchange;
    if (apiKey === '') return;
    const { status } = http.response;
    const at = `status of ${requestName(http.request)}`;
    const isRefused = (clause: ClauseId): boolean =>
      this.findings.hold(clause, at, status === 401, '401', String(status));
    if (this.#parties.revoked.has(apiKey)) return void isRefused('accounts/api-key-deleted-401');
    const isUnknown = apiKey.startsWith('no-such-key') || this.#isOtherCase(apiKey);
    if (isUnknown && !isRefused('authentication/invalid-key-401')) return;
    const child = childOf(exchange);
    const isForItself = !isForChild(exchange);
    if (isGood(status) && isForItself) this.#learn(apiKey);
    if (this.#parties.ofKey(apiKey)?.isDeleted && !isRefused('accounts/delete-keys-stop')) return;
    const party = child === undefined ? undefined : this.#parties.all.get(child);
    if (party?.isDeleted && !isRefused('authentication/child-deleted-401')) return;
    const isAnswered = (clause: ClauseId): boolean =>
      this.findings.hold(clause, at, status !== 401, 'an answer', String(status));
    const isMade = this.#parties.madeKey(apiKey) !== undefined;
    if ((isMade || this.#known.has(apiKey)) && isForItself && this.#isActive(apiKey))
      isAnswered(isMade ? 'accounts/api-key-authenticates' : 'authentication/basic-key');
    const isParent = child !== undefined && this.#isParentOf(child, apiKey);
    if (party && isParent && !party.isDeleted && party.state === 'active' && this.#known.has(apiKey))
      isAnswered('authentication/child-by-id');
  }

  #isParentOf(child: string, apiKey: string): boolean {
    const parent = this.facts.children.get(child);
    return parent !== undefined && parent === this.facts.identities.accountOfKey(apiKey);
  }

  #learn(apiKey: string): void {
    if (this.#known.has(apiKey)) return;
    this.#known.add(apiKey);
    const letters = apiKey.toLowerCase();
    this.#spellings.set(letters, (this.#spellings.get(letters) ?? 0) + 1);
  }

  /** The keys of a suspended or deleted account may be refused. */
  #isActive(apiKey: string): boolean {
    const party = this.#parties.ofKey(apiKey);
    return party === undefined || (party.state === 'active' && !party.isDeleted);
  }

  /** Whether another key works that differs in nothing but its case. */
  #isOtherCase(apiKey: string): boolean {
    const spellings = this.#spellings.get(apiKey.toLowerCase()) ?? 0;
    return spellings > Number(this.#known.has(apiKey));
  }

  /** The answer says for whom, and by whose right. */
  #judgeChildHeader(exchange: SeenExchange): void {
    const { http } = exchange;
    const child = childOf(exchange);
    const { status, headers } = http.response;
    if (child === undefined || !isGood(status) || !this.facts.children.has(child)) return;
    const at = requestName(http.request);
    const valueOf = (wanted: string): string | undefined =>
      headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
    const account = valueOf(AUTHENTICATION_HEADERS.account.name.toLowerCase());
    this.findings.hold('authentication/child-x-account', at, account === child, child, account);
    this.findings.hold(
      'authentication/child-x-authorized-as',
      at,
      valueOf(AUTHORIZED_AS) === this.facts.children.get(child),
      `${this.facts.children.get(child)}`,
      valueOf(AUTHORIZED_AS),
    );
    this.findings.hold(
      'authentication/child-strategy-by-id',
      at,
      valueOf(CHILD_BY_ID) !== undefined,
      'the strategy',
      'no such header',
    );
  }
}
