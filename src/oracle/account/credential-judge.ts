/**
 * Judge of credentials: which keys work, for which account, and what an answer says of it.
 */

import { requestName } from '../../common/request-name.ts';
import { AUTHENTICATION_HEADERS, REQUEST_HEADERS } from '../../spec/headers.ts';
import { CHILD_HEADER } from '../invariant.ts';
import { isGood, partsOf, TOO_MANY, type AccountJudge, type Findings } from './account-judge.ts';
import type { Facts } from './job-facts.ts';
import type { Observation, SeenExchange } from './observation.ts';
import { childOf, type Parties } from './parties.ts';

const CHILD_BY_ID = REQUEST_HEADERS.childAccountById.name.toLowerCase();
const AUTHORIZED_AS = AUTHENTICATION_HEADERS.authorizedAs.name.toLowerCase();

export class CredentialJudge implements AccountJudge {
  readonly #findings: Findings;
  readonly #facts: Facts;
  readonly #parties: Parties;
  /** Keys that have worked. */
  readonly #known = new Set<string>();

  constructor(findings: Findings, facts: Facts, parties: Parties) {
    this.#findings = findings;
    this.#facts = facts;
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
    const { status } = http.response;
    const at = requestName(http.request);
    const child = childOf(exchange);
    const isForItself = !http.request.headers.some(([name]) => CHILD_HEADER.test(name));
    if (this.#parties.revoked.has(apiKey) && status !== 401)
      return this.#findings.broke('accounts/api-key-deleted-401', `status of ${at}`, '401', String(status));
    const isUnknown = apiKey.startsWith('no-such-key') || this.#isOtherCase(apiKey);
    if (isUnknown && status !== 401)
      return this.#findings.broke('authentication/invalid-key-401', `status of ${at}`, '401', String(status));
    if (isGood(status) && isForItself) this.#known.add(apiKey);
    if (this.#parties.ofKey(apiKey)?.isDeleted && status !== 401)
      return this.#findings.broke('accounts/delete-keys-stop', `status of ${at}`, '401', String(status));
    const party = child === undefined ? undefined : this.#parties.all.get(child);
    if (party?.isDeleted && status !== 401)
      return this.#findings.broke('authentication/child-deleted-401', `status of ${at}`, '401', String(status));
    if (status !== 401 || this.#parties.revoked.has(apiKey)) return;
    const isMade = this.#parties.madeKey(apiKey) !== undefined;
    if ((isMade || this.#known.has(apiKey)) && isForItself && this.#isActive(apiKey))
      this.#findings.broke(
        isMade ? 'accounts/api-key-authenticates' : 'authentication/basic-key',
        `status of ${at}`,
        'an answer',
        '401',
      );
    if (party && !party.isDeleted && party.state === 'active' && this.#known.has(apiKey))
      this.#findings.broke('authentication/child-by-id', `status of ${at}`, 'an answer', '401');
  }

  /** The keys of a suspended or deleted account may be refused. */
  #isActive(apiKey: string): boolean {
    const party = this.#parties.ofKey(apiKey);
    return party === undefined || (party.state === 'active' && !party.isDeleted);
  }

  #isOtherCase(apiKey: string): boolean {
    return [...this.#known].some((known) => known !== apiKey && known.toLowerCase() === apiKey.toLowerCase());
  }

  /** The answer says for whom, and by whose right. */
  #judgeChildHeader(exchange: SeenExchange): void {
    const { http } = exchange;
    const child = childOf(exchange);
    const { status, headers } = http.response;
    if (child === undefined || !isGood(status) || !this.#facts.children.has(child)) return;
    const at = requestName(http.request);
    const valueOf = (wanted: string): string | undefined =>
      headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
    const account = valueOf(AUTHENTICATION_HEADERS.account.name.toLowerCase());
    if (account !== child) this.#findings.broke('authentication/child-x-account', at, child, account);
    if (valueOf(AUTHORIZED_AS) !== this.#facts.children.get(child))
      this.#findings.broke(
        'authentication/child-x-authorized-as',
        at,
        `${this.#facts.children.get(child)}`,
        valueOf(AUTHORIZED_AS),
      );
    if (valueOf(CHILD_BY_ID) === undefined)
      this.#findings.broke('authentication/child-strategy-by-id', at, 'the strategy', 'no such header');
  }
}
