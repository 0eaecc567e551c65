/**
 * Mutants of cancelling: too much, too little, or said and not done.
 */

import type { Line, LinkMeddling } from './meddling-link.ts';
import type { Meddle, PassingAnswer } from './meddling-proxy.ts';
import { instead } from './mutant-tools.ts';
import { broken, type Mutant } from './mutant.ts';
import { json } from './mutants.ts';

type Cancelling = Pick<Mutant, 'rewrite' | 'meddle' | 'link'>;

const ALL = /^DELETE \/printjobs$/;
const SET = /^DELETE \/printjobs\/[\d,]+$/;
const OF_PRINTERS = /^DELETE \/printers\/[\d,]+\/printjobs$/;
const SET_OF_PRINTERS = /^DELETE \/printers\/[\d,]+\/printjobs\/[\d,]+$/;
const PAGE = 100;

/** Ids in the last set of a path. */
const idsOf = ({ path }: Pick<PassingAnswer, 'path'>): readonly number[] =>
  (path.split('/').at(-1) ?? '').split(',').map(Number);

/** Ids are answered, and the jobs go on as if nothing had been asked for. */
function onlyTold(pattern: RegExp): Cancelling {
  return {
    rewrite: instead(pattern, ({ path }) => ({ method: 'GET', path: `${path}?limit=1000` })),
    meddle: json(pattern, (jobs: readonly { readonly id: number }[]) => jobs.map(({ id }) => id)),
  };
}

/** Cancels by another path. */
const by = (pattern: RegExp, change: (path: string) => string): Cancelling => ({
  rewrite: instead(pattern, ({ path }) => ({ path: change(path) })),
});

/** A set answers its ids that are among these, beside those that it has cancelled. */
const alsoAnswering =
  (wanted: (id: number) => boolean, set = SET): Meddle =>
  (answer) =>
    set.test(`${answer.method} ${answer.path}`) && answer.status === 200
      ? {
          body: JSON.stringify([
            ...new Set([...(JSON.parse(answer.body) as readonly number[]), ...idsOf(answer).filter(wanted)]),
          ]),
        }
      : undefined;

/** Jobs that a computer has got can be cancelled as soon as it is away. */
function deliveredToo(set = SET): Cancelling {
  const delivered = new Map<number, Line>();
  const away = new WeakSet<Line>();
  const link: LinkMeddling = {
    jobs: (job, line) => {
      delivered.set(job.jobId, line);
      return [job];
    },
    session: (right, line) => ({
      close: () => {
        away.add(line);
        return right.close();
      },
    }),
  };
  const isAway = (id: number): boolean => {
    const line = delivered.get(id);
    return line !== undefined && away.has(line);
  };
  return { link, meddle: alsoAnswering(isAway, set) };
}

/** Jobs of which their client has reported this can be cancelled. */
function reportedToo(state: string): Cancelling {
  const reported = new Set<number>();
  const session: LinkMeddling['session'] = (right) => ({
    reportJobState: (report) => {
      if (report.state === state) reported.add(report.jobId);
      return right.reportJobState(report);
    },
  });
  return { link: { session }, meddle: alsoAnswering((id) => reported.has(id)) };
}

/** Without a set, as many jobs are cancelled as a page shows: the newest. */
function newestPage(): Cancelling {
  const jobs: number[] = [];
  return {
    rewrite: instead(ALL, () => (jobs.length > 0 ? { path: `/printjobs/${jobs.slice(-PAGE).join()}` } : {})),
    meddle: ({ method, path, status, body }) => {
      if (method === 'POST' && path === '/printjobs' && status === 201) jobs.push(Number(body));
      return undefined;
    },
  };
}

/** A set cancels everything, and reports only what it names. */
function everythingUnseen(): Cancelling {
  return {
    ...by(SET, () => '/printjobs'),
    meddle: (answer) =>
      SET.test(`${answer.method} ${answer.path}`)
        ? json(SET, (ids: readonly number[]) => ids.filter((id) => idsOf(answer).includes(id)))(answer)
        : undefined,
  };
}

export const CANCEL_MUTANTS: readonly Mutant[] = [
  broken('print-jobs/delete-all', 'without a set nothing is cancelled', {
    rewrite: instead(ALL, () => ({ method: 'GET' })),
    meddle: json(ALL, () => []),
  }),
  broken(
    'print-jobs/delete-all',
    'without a set ids are answered, and the jobs are delivered all the same',
    onlyTold(ALL),
  ),
  broken('print-jobs/delete-all-beyond-a-page', 'without a set the newest hundred are cancelled', newestPage()),
  broken(
    'print-jobs/delete-of-printers',
    'the printers of a cancellation are overlooked',
    by(OF_PRINTERS, () => '/printjobs'),
  ),
  broken(
    'print-jobs/delete-of-printers',
    'of several printers the jobs of two are cancelled',
    by(OF_PRINTERS, (path) => path.replace(/^(\/printers\/\d+,\d+)[\d,]*/, '$1')),
  ),
  broken(
    'print-jobs/delete-of-printers',
    'ids of the jobs of a printer are answered, and the jobs are delivered all the same',
    onlyTold(OF_PRINTERS),
  ),
  broken(
    'print-jobs/delete-set-of-printers',
    'a set of jobs of a printer is looked for at all printers',
    by(SET_OF_PRINTERS, (path) => path.replace(/^\/printers\/[\d,]+/, '')),
  ),
  broken(
    'print-jobs/delete-set-of-printers',
    'a set of jobs of a printer cancels all of that printer',
    by(SET_OF_PRINTERS, (path) => path.replace(/\/[\d,]+$/, '')),
  ),
  broken(
    'print-jobs/delete-set-of-printers',
    'a set of jobs of several printers cancels those of the first one',
    by(SET_OF_PRINTERS, (path) => path.replace(/^(\/printers\/\d+)(,\d+)+/, '$1')),
  ),
  broken(
    'print-jobs/delete-set-of-printers',
    'ids of a set of jobs of a printer are answered, and the jobs are delivered all the same',
    onlyTold(SET_OF_PRINTERS),
  ),
  broken(
    'print-jobs/delete-leaves-others',
    'a set cancels everything, and tells of what it names only',
    everythingUnseen(),
  ),
  broken(
    'print-jobs/delete-delivered-not-cancelled',
    'what was delivered can be cancelled once its computer is away',
    deliveredToo(),
  ),
  broken(
    'print-jobs/delete-delivered-not-cancelled',
    'what was delivered can be cancelled as a job of its printer',
    deliveredToo(SET_OF_PRINTERS),
  ),
  broken('print-jobs/delete-completed-not-cancelled', 'what is done can still be cancelled', reportedToo('done')),
  broken('print-jobs/delete-completed-not-cancelled', 'what has failed can still be cancelled', reportedToo('error')),
  broken(
    'print-jobs/delete-delivered-not-cancelled',
    'what its client has got and not printed yet can still be cancelled',
    reportedToo('received'),
  ),
  broken('print-jobs/cancelled-not-delivered', 'a cancelled job is sent when its computer comes back', onlyTold(SET)),
  broken('print-jobs/cancelled-does-not-expire', 'a cancelled job expires when its time is over', onlyTold(SET)),
];
