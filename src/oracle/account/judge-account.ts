/**
 * Judges a whole account by everything that was seen of its service, from its beginning.
 */

import type { Level } from '../../spec/clause.ts';
import { INVARIANTS, judgeHistory } from '../invariants.ts';
import { CredentialJudge } from './credential-judge.ts';
import { EventJudge } from './event-judge.ts';
import { HookSettings } from './hook-settings.ts';
import { Findings, type AccountJudge, type BrokenClause } from './account-judge.ts';
import { collectFacts } from './job-facts.ts';
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
} {
  // Whether what got no answer was done is unknown.
  const isWhole = circumstances.isWhole && history.every(({ kind }) => kind !== 'silence');
  const findings = new Findings({ ...circumstances, isWhole }, levels);
  judgeResponses(history, findings);
  const facts = collectFacts(history);
  const presence = new Presence(facts);
  const submissions = new SubmissionJudge(findings, facts);
  const lists = new ListJudge(findings, facts, presence, (id, names) => submissions.printersOf(id, names));
  const settings = new HookSettings(findings, facts);
  const occurrences = new Occurrences(findings, facts);
  const parties = new Parties(facts);
  const statistics = new StatisticJudge(findings);
  const judges: readonly AccountJudge[] = [
    presence,
    lists,
    submissions,
    new JobJudge(findings, facts, presence),
    new StateJudge(findings, facts, presence),
    settings,
    occurrences,
    statistics,
    new EventJudge(findings, facts, { occurrences, settings, statistics }),
    new ScaleJudge(findings, facts),
    new CredentialJudge(findings, facts, parties),
    new PartyJudge(findings, facts, { parties, presence }),
  ];
  for (const [place, observation] of history.entries()) {
    for (const judge of judges) judge.see(observation, place);
  }
  for (const judge of judges) judge.end?.();
  return findings;
}

/** The rules of every response. A response that a proxy made up says nothing about the service. */
function judgeResponses(history: readonly Observation[], findings: Findings): void {
  if (findings.circumstances.isHttpDisturbed) return;
  const exchanges = history.flatMap((one) => (one.kind === 'exchange' ? [one.http] : []));
  for (const { clause, mismatches } of judgeHistory(exchanges, INVARIANTS)) {
    for (const { at, expected, actual } of mismatches) findings.broke(clause, at, expected, actual);
  }
}
