/**
 * Mutants of cancelling: too much, too little, or said and not done.
 */

import type { Line, LinkMeddling } from './meddling-link.ts';
import type { Meddle, PassingAnswer } from './meddling-proxy.ts';
import { instead } from './mutant-tools.ts';
import type { Mutant } from './mutant.ts';
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
  {
    name: 'without a set nothing is cancelled',
    clause: 'print-jobs/delete-all',
    rewrite: instead(ALL, () => ({ method: 'GET' })),
    meddle: json(ALL, () => []),
  },
  {
    name: 'without a set ids are answered, and the jobs are delivered all the same',
    clause: 'print-jobs/delete-all',
    ...onlyTold(ALL),
  },
  {
    name: 'without a set the newest hundred are cancelled',
    clause: 'print-jobs/delete-all-beyond-a-page',
    ...newestPage(),
  },
  {
    name: 'the printers of a cancellation are overlooked',
    clause: 'print-jobs/delete-of-printers',
    ...by(OF_PRINTERS, () => '/printjobs'),
  },
  {
    name: 'of several printers the jobs of two are cancelled',
    clause: 'print-jobs/delete-of-printers',
    ...by(OF_PRINTERS, (path) => path.replace(/^(\/printers\/\d+,\d+)[\d,]*/, '$1')),
  },
  {
    name: 'ids of the jobs of a printer are answered, and the jobs are delivered all the same',
    clause: 'print-jobs/delete-of-printers',
    ...onlyTold(OF_PRINTERS),
  },
  {
    name: 'a set of jobs of a printer is looked for at all printers',
    clause: 'print-jobs/delete-set-of-printers',
    ...by(SET_OF_PRINTERS, (path) => path.replace(/^\/printers\/[\d,]+/, '')),
  },
  {
    name: 'a set of jobs of a printer cancels all of that printer',
    clause: 'print-jobs/delete-set-of-printers',
    ...by(SET_OF_PRINTERS, (path) => path.replace(/\/[\d,]+$/, '')),
  },
  {
    name: 'a set of jobs of several printers cancels those of the first one',
    clause: 'print-jobs/delete-set-of-printers',
    ...by(SET_OF_PRINTERS, (path) => path.replace(/^(\/printers\/\d+)(,\d+)+/, '$1')),
  },
  {
    name: 'ids of a set of jobs of a printer are answered, and the jobs are delivered all the same',
    clause: 'print-jobs/delete-set-of-printers',
    ...onlyTold(SET_OF_PRINTERS),
  },
  {
    name: 'a set cancels everything, and tells of what it names only',
    clause: 'print-jobs/delete-leaves-others',
    ...everythingUnseen(),
  },
  {
    name: 'what was delivered can be cancelled once its computer is away',
    clause: 'print-jobs/delete-delivered-not-cancelled',
    ...deliveredToo(),
  },
  {
    name: 'what was delivered can be cancelled as a job of its printer',
    clause: 'print-jobs/delete-delivered-not-cancelled',
    ...deliveredToo(SET_OF_PRINTERS),
  },
  {
    name: 'what is done can still be cancelled',
    clause: 'print-jobs/delete-completed-not-cancelled',
    ...reportedToo('done'),
  },
  {
    name: 'what has failed can still be cancelled',
    clause: 'print-jobs/delete-completed-not-cancelled',
    ...reportedToo('error'),
  },
  {
    name: 'what its client has got and not printed yet can still be cancelled',
    clause: 'print-jobs/delete-delivered-not-cancelled',
    ...reportedToo('received'),
  },
  {
    name: 'a cancelled job is sent when its computer comes back',
    clause: 'print-jobs/cancelled-not-delivered',
    ...onlyTold(SET),
  },
  {
    name: 'a cancelled job expires when its time is over',
    clause: 'print-jobs/cancelled-does-not-expire',
    ...onlyTold(SET),
  },
];
