/**
 * Judges a whole account by everything that was seen of its service, from its beginning.
 */

import type { ClauseId } from '../../specification/clauses.ts';
import type { Level } from '../../specification/clause.ts';
import { INVARIANTS, judgeHistory } from '../invariants.ts';
import { CredentialJudge } from './credential-judge.ts';
import { EventJudge } from './event-judge.ts';
import { HookSettings } from './hook-settings.ts';
import { Findings, isGood, type AccountJudge, type BrokenClause } from './account-judge.ts';
import { collectFacts, type Facts } from './job-facts.ts';
import { JobJudge } from './job-judge.ts';
import { ListJudge } from './list-judge.ts';
import type { Circumstances, Observation } from './observation.ts';
import { Occurrences } from './occurrences.ts';
import { Parties } from './parties.ts';
import { PartyJudge } from './party-judge.ts';
import { Presence } from './presence.ts';
import { ScaleJudge } from './scale-judge.ts';
import { StateJudge } from './state-judge.ts';
import { SubmissionJudge } from './submission-judge.ts';
import { StatisticJudge } from './statistic-judge.ts';

export interface AccountHistory {
  readonly history: readonly Observation[];
  readonly circumstances: Circumstances;
  /** Clauses of these levels are judged. */
  readonly levels: readonly Level[];
}

/** What the service broke, in the order in which it was seen. */
export function judgeAccount({ history, circumstances, levels }: AccountHistory): {
  readonly broken: readonly BrokenClause[];
  readonly judged: ReadonlyMap<ClauseId, number>;
} {
  const facts = collectFacts(history);
  const findings = new Findings(circumstances, levels, unsureAccounts(history, facts));
  judgeResponses(history, findings);
  const presence = new Presence(facts);
  const submissions = new SubmissionJudge(findings, facts);
  const lists = new ListJudge(findings, facts, presence, (id, names) => submissions.printersOf(id, names));
  const settings = new HookSettings(findings, facts);
  const occurrences = new Occurrences(findings, facts);
  const parties = new Parties(facts);
  const statistics = new StatisticJudge(findings);
  const ofCallers: readonly AccountJudge[] = [
    presence,
    lists,
    submissions,
    settings,
    new CredentialJudge(findings, facts, parties),
    new PartyJudge(findings, facts, { parties, presence }),
  ];
  const ofOthers: readonly AccountJudge[] = [
    new JobJudge(findings, facts, presence),
    new StateJudge(findings, facts, presence),
    occurrences,
    statistics,
    new EventJudge(findings, facts, { occurrences, settings, statistics }),
    new ScaleJudge(findings, facts),
  ];
  const judges = circumstances.isCallersAlone ? ofCallers : [...ofCallers, ...ofOthers];
  for (const [place, observation] of history.entries()) {
    if (isOpen(observation)) continue;
    for (const judge of judges) judge.see(observation, place);
  }
  for (const judge of judges) judge.end?.();
  return findings;
}

/** The accounts in which something may have changed by a request without an answer; null where it may be any. */
function unsureAccounts(history: readonly Observation[], { identities }: Facts): ReadonlySet<string> | null {
  const accounts = new Set<string>();
  for (const one of history) {
    if (one.kind !== 'silence' || one.method === 'GET') continue;
    const account = identities.accountOfCaller(one.apiKey, one.headers);
    if (account === undefined) return null;
    accounts.add(account);
  }
  return accounts;
}

/** An odd request may be refused for what is odd about it, or taken. */
function isOpen(observation: Observation): boolean {
  return observation.kind === 'exchange' && observation.isOdd === true && !isGood(observation.http.response.status);
}

/** The rules of every response. A response that a proxy made up says nothing about the service. */
function judgeResponses(history: readonly Observation[], findings: Findings): void {
  if (findings.circumstances.isHttpDisturbed) return;
  const exchanges = history.flatMap((one) => (one.kind === 'exchange' ? [one.http] : []));
  for (const { clause, judged, mismatches } of judgeHistory(exchanges, INVARIANTS)) {
    findings.count(clause, judged - mismatches.length);
    for (const { at, expected, actual } of mismatches) findings.hold(clause, at, false, expected, actual);
  }
}
