/**
 * Paper verdict: what became of all that an app wanted printed while something went wrong, against what became of it in
 * two runs in which nothing did.
 */

import { isGivenUp, type SeenJob, type SeenRun } from '../../record/caller-history.ts';
import type { Moment } from '../../record/moments.ts';
import type { CallerVerdict } from '../../record/words.ts';
import { groupName, maskFor, maskInWords, submissionsOf, type Mask, type Submission } from './marks.ts';

/** The unharmed runs, by which all others are judged. */
export interface Baseline {
  readonly mask: Mask;
  /** What was printed of each thing: the fewest and the most. */
  readonly groups: ReadonlyMap<string, ExpectedGroup>;
  /** What is different between the two, a sentence each. */
  readonly differences: readonly string[];
  /** How often the app asks for the same as this. */
  readonly usual: (submission: Submission) => number;
  /** How long after the first event it submits its last job. */
  readonly followsMs: number;
}

interface ExpectedGroup {
  readonly title: string;
  readonly content: string;
  readonly least: number;
  readonly most: number;
  /** As the most, with what had not come out by then. */
  readonly mostToCome: number;
}

/** One thing of which more or less was printed. */
export interface Difference {
  readonly what: 'more' | 'less' | 'held' | 'unasked' | 'unclear';
  readonly title: string;
  readonly papers: number;
  /** Paper that will come out when its printer or computer can print. */
  readonly toCome: number;
  readonly expected: number;
  readonly submissions: readonly Submission[];
}

export interface PaperVerdict {
  readonly verdict: CallerVerdict;
  readonly differences: readonly Difference[];
}

interface Group {
  readonly submissions: readonly Submission[];
  readonly papers: number;
  /** Paper of accepted jobs that has not come out. */
  readonly held: number;
  /** The part of it whose jobs have not failed, expired or been deleted. */
  readonly toCome: number;
}

const NOTHING: Group = { papers: 0, held: 0, toCome: 0, submissions: [] };

export function baselineOf([one, other]: readonly [SeenRun, SeenRun]): Baseline {
  const [first, second] = [submissionsOf(one), submissionsOf(other)];
  const mask = maskFor(first, second);
  const [counted, again] = [groupsOf(first, one.jobs, mask), groupsOf(second, other.jobs, mask)];
  const groups = new Map<string, ExpectedGroup>();
  for (const name of new Set([...counted.keys(), ...again.keys()])) {
    const both = [counted.get(name) ?? NOTHING, again.get(name) ?? NOTHING];
    const papers = both.map((group) => group.papers);
    const mostToCome = Math.max(...both.map((group) => group.papers + group.toCome));
    const { title = '', content = '' } = both.flatMap(({ submissions }) => submissions)[0]?.mark ?? {};
    groups.set(name, { title, content, least: Math.min(...papers), most: Math.max(...papers), mostToCome });
  }
  const unsteady = [...groups.values()].filter(({ least, most }) => least < most);
  const counts = unsteady.map(
    ({ title, least, most }) => `${JSON.stringify(title)} is printed ${least} or ${most} times.`,
  );
  const usual = ({ mark }: Submission): number => counted.get(groupName(mark, mask))?.submissions.length ?? 1;
  const eventMs = Math.min(...one.deliveries.map(({ sentMs }) => sentMs));
  const followsMs = Math.max(0, (first.at(-1)?.request.sentMs ?? 0) - eventMs);
  return { mask, groups, differences: [...maskInWords(mask), ...counts], usual, followsMs };
}

/** @param at - what the moment happened to */
export function paperVerdict(run: SeenRun, baseline: Baseline, at: Moment['at']): PaperVerdict {
  if (!run.isReached) return { verdict: 'not-reached', differences: [] };
  const differences = differencesOf(run, baseline);
  const enoughMs = LEAST_LEFT_MS + 2 * baseline.followsMs;
  const isPatient = run.deliveries.length > 0 && run.deliveries.every(({ leftMs }) => leftMs > enoughMs);
  return { verdict: verdictOf(run, differences, at, isPatient), differences };
}

/** An app that goes on for longer after an event has done what follows from it. */
const LEAST_LEFT_MS = 3_000;

function verdictOf(
  run: SeenRun,
  differences: readonly Difference[],
  at: Moment['at'],
  isPatient: boolean,
): CallerVerdict {
  const { code, said } = run.end;
  const has = (...kinds: readonly Difference['what'][]): boolean =>
    differences.some(({ what }) => kinds.includes(what));
  if (has('more')) return 'printed-twice';
  if (code === null) return 'hung';
  if (has('unclear')) return 'nondeterministic';
  if (said === 'failed') return isHitPrinted(run, differences) ? 'printed-said-failed' : 'told';
  if (has('less', 'unasked')) {
    if (said === 'waiting') return 'told';
    // What would have followed from an event that came late, or from paper that did not come, is not known.
    if (!has('less') && at === 'event' && !isPatient) return 'ended-too-early';
    if (!has('less') && at === 'room') return 'taken-no-paper';
    return 'lost';
  }
  return has('held') ? 'taken-no-paper' : 'printed-once';
}

/** Whether what the moment was about came out all the same: the request itself, or the last before it. */
function isHitPrinted(run: SeenRun, differences: readonly Difference[]): boolean {
  if (differences.length === 0) return submissionsOf(run).length > 0;
  const papers = new Map(run.jobs.map((job) => [job.id, job.papers]));
  const hitMs = run.requests.find(({ isHit }) => isHit)?.sentMs ?? Infinity;
  const submissions = submissionsOf(run);
  const meant =
    submissions.find(({ request }) => request.isHit) ?? submissions.findLast(({ request }) => request.sentMs < hitMs);
  if (meant === undefined) return false;
  const same = submissions.filter(({ mark }) => JSON.stringify(mark) === JSON.stringify(meant.mark));
  return same.some(({ request }) => (papers.get(request.jobId ?? -1) ?? 0) > 0);
}

function differencesOf(run: SeenRun, { groups: expected, mask }: Baseline): readonly Difference[] {
  const found = groupsOf(submissionsOf(run), run.jobs, mask, expected);
  return [...expected].flatMap(([name, usual]) => {
    const { title, least, most } = usual;
    const group = found.get(name) ?? NOTHING;
    const { papers, toCome, submissions } = group;
    const what = kindOf(group, usual);
    if (papers >= least && papers <= most && what !== 'more') return [];
    return [{ what, title, papers, toCome, expected: what === 'more' ? most : least, submissions }];
  });
}

function kindOf({ papers, held, toCome, submissions }: Group, usual: ExpectedGroup): Difference['what'] {
  if (usual.least < usual.most) return 'unclear';
  if (papers > usual.most || papers + toCome > usual.mostToCome) return 'more';
  if (papers + held >= usual.least) return 'held';
  return submissions.length === 0 ? 'unasked' : 'less';
}

/** @param expected - what is known already: something with the same content in another place is the same thing */
function groupsOf(
  submissions: readonly Submission[],
  jobs: readonly SeenJob[],
  mask: Mask,
  expected: ReadonlyMap<string, ExpectedGroup> = new Map(),
): ReadonlyMap<string, Group> {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const nameOf = (submission: Submission): string => {
    const name = groupName(submission.mark, mask);
    if (expected.size === 0 || expected.has(name)) return name;
    const same = [...expected].filter(([, { content }]) => content === submission.mark.content);
    return (same.length === 1 && same[0]?.[0]) || name;
  };
  const groups = Map.groupBy(submissions, nameOf);
  return new Map([...groups].map(([name, members]) => [name, countGroup(members, byId)]));
}

function countGroup(submissions: readonly Submission[], byId: ReadonlyMap<number, SeenJob>): Group {
  const jobs = submissions.flatMap(({ request }) => byId.get(request.jobId ?? -1) ?? []);
  return {
    submissions,
    papers: jobs.reduce((sum, { papers }) => sum + papers, 0),
    held: missingOf(jobs),
    toCome: missingOf(jobs.filter((job) => !isGivenUp(job))),
  };
}

function missingOf(jobs: readonly SeenJob[]): number {
  return jobs.reduce((sum, { qty, papers }) => sum + Math.max(0, qty - papers), 0);
}
