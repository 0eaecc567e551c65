/**
 * What the suite has said of the services by strangers, and who was right: each accusation was held against the words
 * of the specification.
 *
 *   true           the service broke a printed sentence: it stays so, and the suite has to say so
 *   false alarm    the suite presumed what is not printed: it was repaired, and must not say so again
 *   not judged     nothing was said of the service, for a reason that holds: the suite has to give that verdict
 */

import type { CheckOutcome } from '../../src/conformance/verdict/outcome.ts';
import type { Verdict } from '../../src/record/words.ts';
import type { BaselinePage } from '../support/baseline-page.ts';
import type { Stranger } from './strangers.ts';

interface Adjudication {
  readonly checks: readonly string[];
  /** Those that were said to be broken, or what is left open. */
  readonly clauses: readonly string[];
  readonly verdict: Verdict;
  readonly ruling: 'true' | 'false alarm' | 'not judged';
  /** The reason, and of a false alarm what was repaired. */
  readonly why: string;
}

export const STRANGERS_PAGE = 'strangers.md';

const HEARTBEATS: Adjudication = {
  checks: ['link/heartbeat'],
  clauses: ['link/pings'],
  verdict: 'fail',
  ruling: 'false alarm',
  why: 'Heartbeats watch over connections and follow the clock of the machine. Not judged on a clock that a hook moves.',
};
const PATIENCE_LEFT: Adjudication = {
  checks: ['event-delivery/hanging'],
  clauses: ['events/hanging-answer-fails'],
  verdict: 'too-long',
  ruling: 'not judged',
  why: 'Its patience with a receiver does not follow the clock that the hook moves.',
};
const EMPTY_SETS: Adjudication = {
  checks: ['matrix/empty-sets'],
  clauses: ['service/set-empty-never-all'],
  verdict: 'harness-error',
  ruling: 'false alarm',
  why: 'In an account that is not of the run nothing was left to try. A Child Account is put at risk instead.',
};
const FIRST_INTEGER: Adjudication = {
  checks: ['matrix/list-pages'],
  clauses: ['service/page-limit', 'service/page-dir', 'service/page-after'],
  verdict: 'fail',
  ruling: 'false alarm',
  why: 'The first integer of a record was taken for its id, and keys have no order. The id is read by its name.',
};
const SINGLE: Adjudication = {
  checks: ['child-accounts/by-single'],
  clauses: ['accounts/create-by-single-refused'],
  verdict: 'untestable',
  ruling: 'false alarm',
  why: 'The second account is an Integrator, as it may be. The key of a Child is tried instead.',
};
const NOT_SINGLE: Adjudication = {
  checks: [
    'matrix/child-of-another',
    'matrix/single-settings',
    'matrix/single-printing',
    'matrix/single-scales',
    'matrix/single-downloads',
    'matrix/single-events',
  ],
  clauses: ['authentication/child-header-of-single-401', 'authentication/refused-does-nothing'],
  verdict: 'untestable',
  ruling: 'not judged',
  why: 'The second account is an Integrator, as it may be; that of the service in Python is a Single Account.',
};
const CANCEL_ALL: Adjudication = {
  checks: ['cancelling/all'],
  clauses: ['print-jobs/delete-all', 'print-jobs/delete-all-beyond-a-page'],
  verdict: 'untestable',
  ruling: 'false alarm',
  why: 'It needs an account of its own, which an Integrator can make. It is tried in a Child Account.',
};
const lateOnRealTime = (lateMs: number, clause: string): Adjudication => ({
  checks: ['an hour of explore on real time'],
  clauses: [clause],
  verdict: 'fail',
  ruling: 'false alarm',
  why:
    `On a machine with twenty programs for each core an event was ${lateMs} ms late, once, and not when the day was ` +
    'played again. Events may be as late as the answers of the day are, and two seconds.',
});
const SPELLING: Adjudication = {
  checks: ['webhooks/update-messages', 'events/types', 'event-delivery/changed-messages'],
  clauses: ['gap/message-identifiers'],
  verdict: 'inconclusive',
  ruling: 'false alarm',
  why: '"Exact identifiers in the messages array … not shown". The spelling is asked first.',
};

const statistics = (nesting: string): Adjudication => ({
  checks: ['webhooks/object', 'webhook-statistics/counts', 'webhook-statistics/decay', 'webhook-statistics/scales'],
  clauses: [
    'webhooks/field-received-events',
    'webhooks/field-dropped-events',
    'webhooks/field-successful-requests',
    'webhooks/field-failed-requests',
    'webhooks/measure-counts',
    'webhooks/measures-decay',
  ],
  verdict: 'fail',
  ruling: 'false alarm',
  why: `A statistic is ${nesting}; "nesting of the five measures … not shown". Where each measure stands is asked first.`,
});

/** In the order of the suite, by service. */
export const ADJUDICATED: Readonly<Record<Stranger, readonly Adjudication[]>> = {
  python: [
    {
      checks: ['107 checks that connect a computer, and 27 that need a webhook-receiver'],
      clauses: ['gap/limit-upper-bound'],
      verdict: 'blocked',
      ruling: 'false alarm',
      why: '"Upper bound of the limit query parameter: not shown". Their setup asked for 1000 records; the bound is asked.',
    },
    {
      checks: ['client-keys/of-child', 'client-keys/connects'],
      clauses: ['authentication/delegated-child-on-the-fly'],
      verdict: 'fail',
      ruling: 'false alarm',
      why: 'The same limit of 1000 in the setup; what the setup lacks blocks now, and breaks no clause.',
    },
    {
      checks: ['service/request-headers'],
      clauses: ['service/x-pretty-same-value'],
      verdict: 'warn',
      ruling: 'false alarm',
      why: 'The keys of objects come in another order each time. JSON is compared as JSON.',
    },
    {
      checks: [
        'client-downloads/lists',
        'client-downloads/latest',
        'client-downloads/versions',
        'client-downloads/updates',
      ],
      clauses: ['gap/client-download-record'],
      verdict: 'untestable',
      ruling: 'false alarm',
      why: '"Fields of a client download record: not shown": they are `platform` and `release`. They are recognized by their values.',
    },
    SINGLE,
    CANCEL_ALL,
    {
      checks: ['states/new', 'states/done'],
      clauses: ['states/new-first'],
      verdict: 'warn',
      ruling: 'false alarm',
      why: 'Two states of one millisecond, in a list without a printed order. Ages decide, and equal ones nothing.',
    },
    {
      checks: ['rate-limit/does-nothing'],
      clauses: ['limits/request-rate-does-nothing'],
      verdict: 'warn',
      ruling: 'false alarm',
      why: 'The list was asked for with a limit beyond 300, which it refuses, as it may. It asks for no more than it submitted now.',
    },
    SPELLING,
    statistics('`{measures: {…}}`'),
    {
      checks: ['webhook-statistics/counts'],
      clauses: [],
      verdict: 'blocked',
      ruling: 'false alarm',
      why: 'Events were compared as text, and their keys come in another order each time. They are compared as JSON.',
    },
    {
      checks: ['events/object'],
      clauses: ['events/field-type'],
      verdict: 'fail',
      ruling: 'false alarm',
      why: '"More types will be added in future": there is a third one. Only the two that are printed are looked for.',
    },
    {
      checks: ['events/object'],
      clauses: ['events/secret-sent'],
      verdict: 'fail',
      ruling: 'false alarm',
      why: '"How the secret is transmitted … not shown": as the password of HTTP Basic. It is looked for in base64 too.',
    },
    HEARTBEATS,
    {
      checks: ['matrix/credentials', 'matrix/credentials-for-child', 'matrix/things-of-another-account'],
      clauses: ['authentication/refused-does-nothing', 'service/isolation-deletes'],
      verdict: 'warn',
      ruling: 'false alarm',
      why: 'The first integer of a job record was taken for its id, and keys have no order. The id is read by its name.',
    },
    {
      checks: ['matrix/credentials'],
      clauses: [],
      verdict: 'blocked',
      ruling: 'false alarm',
      why: 'A reading was gone after its 45 seconds, which the requests before took. Then nothing is asked of it.',
    },
    FIRST_INTEGER,
    EMPTY_SETS,
    PATIENCE_LEFT,
    lateOnRealTime(2_428, 'limits/webhook-retry-delay'),
  ],
  go: [
    {
      checks: ['tags/life', 'tags/names', 'tags/values', 'tags/accounts-apart', 'races/tag-writes'],
      clauses: ['accounts/tag-create', 'accounts/tag-read', 'accounts/tag-value-string'],
      verdict: 'fail',
      ruling: 'false alarm',
      why: '"Request bodies of the tag … endpoints" are not shown: it is `{"value": …}`. The body is asked first.',
    },
    SINGLE,
    NOT_SINGLE,
    {
      checks: ['print-jobs/delivered-whole'],
      clauses: ['gap/options-outside-capabilities'],
      verdict: 'blocked',
      ruling: 'false alarm',
      why: 'An option that is not printed was sent, and refused. Only printed ones within the capabilities are sent.',
    },
    {
      checks: ['paging/default-size'],
      clauses: ['gap/limit-upper-bound'],
      verdict: 'warn',
      ruling: 'false alarm',
      why: 'A limit of 101 is cut to 100, and the bound is not shown. The greatest limit is asked first.',
    },
    {
      checks: ['states/paths', '24 checks that read states'],
      clauses: ['print-jobs/states-all', 'print-jobs/states-set'],
      verdict: 'fail',
      ruling: 'false alarm',
      why: '"Print job state objects": they stand in an object by the id of the job, where they are read now.',
    },
    CANCEL_ALL,
    {
      checks: ['a check that is gone: idempotency/other-account'],
      clauses: ['gap/idempotency-scope'],
      verdict: 'warn',
      ruling: 'false alarm',
      why: '"A later job with the same key is rejected": no scope is printed, and keys count for the whole service. A gap now.',
    },
    SPELLING,
    statistics('`{straight: {counts}, decay: {…}}`'),
    {
      checks: ['event-receivers/wrong-header', 'event-receivers/failures'],
      clauses: [
        'events/other-header-value-fails',
        'events/non-2xx-fails',
        'events/redirect-fails',
        'events/no-answer-fails',
      ],
      verdict: 'fail',
      ruling: 'false alarm',
      why: 'The clock was moved before the failed reply had arrived, with which the five seconds begin. It waits for that.',
    },
    {
      checks: ['event-delivery/hanging'],
      clauses: ['events/hanging-answer-fails'],
      verdict: 'warn',
      ruling: 'false alarm',
      why: 'It waits 30 s of the machine for a receiver, which no hook moves. Not judged on a clock that is moved.',
    },
    PATIENCE_LEFT,
    lateOnRealTime(2_004, 'events/due-after-success'),
    {
      checks: ['scale-data/age'],
      clauses: ['scales/field-age-of-data'],
      verdict: 'fail',
      ruling: 'false alarm',
      why: 'Its clock could not be read from states by id, so 28 ms by which it runs on were taken for a fault. It is read now.',
    },
    {
      checks: [
        'scale-websocket/simulated',
        'scale-websocket/apart',
        'scale-websocket/of-child',
        'scale-websocket/ages',
        'gaps/websocket-protocol',
      ],
      clauses: ['scales/websocket'],
      verdict: 'not-applicable',
      ruling: 'not judged',
      why: '"Its message protocol is not shown": it has another one, at another path. The descriptor says so.',
    },
    {
      checks: ['every-response/timing', 'every-response/digest'],
      clauses: ['service/elapsed', 'service/response-time', 'service/content-md5'],
      verdict: 'fail',
      ruling: 'false alarm',
      why: 'OPTIONS is no endpoint of the API, and is answered in front of it. Nothing is asked of a preflight.',
    },
    HEARTBEATS,
    {
      checks: ['matrix/child-headers'],
      clauses: ['authentication/child-by-id', 'authentication/child-by-email', 'authentication/child-by-creator-ref'],
      verdict: 'fail',
      ruling: 'false alarm',
      why: 'States by id were not read; a key whose name is in use is refused, as it may be, and was made three times.',
    },
    FIRST_INTEGER,
    EMPTY_SETS,
  ],
};

const FINE: ReadonlySet<Verdict> = new Set(['pass', 'observed']);

/**
 * What of a run was not adjudicated, a line each.
 *
 * @param isWhole - all checks were run: what should have been said and was not is a surprise too
 */
export function surprisesOf(
  outcomes: readonly CheckOutcome[],
  adjudicated: readonly Adjudication[],
  isWhole: boolean,
): readonly string[] {
  const standing = adjudicated.filter(({ ruling }) => ruling !== 'false alarm');
  const isExpected = ({ check, verdict, judgements }: CheckOutcome): boolean => {
    const broken = judgements.filter(({ mismatch }) => mismatch).map(({ clause }) => clause);
    return standing.some(
      (one) =>
        one.checks.includes(check.id) &&
        one.verdict === verdict &&
        broken.every((clause) => one.clauses.includes(clause)),
    );
  };
  const said = outcomes.filter(({ verdict }) => !FINE.has(verdict));
  const surprising = said
    .filter((outcome) => !isExpected(outcome))
    .map(({ check, verdict, message }) => `${verdict} ${check.id}: ${message}`);
  const missing = standing
    .filter(({ ruling }) => isWhole && ruling === 'true')
    .flatMap(({ checks, verdict }) =>
      checks
        .filter((id) => !said.some((outcome) => outcome.check.id === id && outcome.verdict === verdict))
        .map((id) => `${id} is no longer ${verdict}`),
    );
  return [...surprising, ...missing];
}

/** What a run of the whole suite came to. */
export interface Tally {
  readonly stranger: Stranger;
  /** `200 pass, 70 observed`. */
  readonly counts: string;
}

export function strangersPage(tallies: readonly Tally[]): BaselinePage {
  const counts = tallies.map((tally) => `${tally.stranger}: ${tally.counts}`).join('; ');
  return {
    title: "Strangers' services",
    command: 'npm run prove strangers',
    about:
      'Services written from the documents alone (test/strangers). Each row is an accusation that the suite made of one, ' +
      `or something that it did not judge, held against the words of the specification. The last run: ${counts}.`,
    columns: ['service', 'checks', 'clauses', 'verdict', 'ruling', 'why'],
    rows: Object.entries(ADJUDICATED).flatMap(([stranger, rows]) =>
      rows.map(({ checks, clauses, verdict, ruling, why }) => [
        stranger,
        code(checks),
        code(clauses),
        verdict,
        ruling,
        why,
      ]),
    ),
  };
}

const code = (names: readonly string[]): string =>
  names.map((name) => (name.includes(' ') ? name : `\`${name}\``)).join(', ');
