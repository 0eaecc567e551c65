/**
 * Caller cells: what each sin of the shop (shop.mjs) shows in which moment. A cell is a mutant of a caller: it has to be
 * caught there, by its paper or by a clause.
 */

import type { CallerClause } from '../../src/oracle/caller/traffic-rules.ts';
import type { CallerVerdict } from '../../src/record/words.ts';

export interface CallerCell {
  readonly mode: Mode;
  readonly sins: string;
  readonly moment: string;
  readonly shows: CallerVerdict | CallerClause;
}

export const MODES = ['labels', 'twins', 'parallel', 'list', 'looks', 'hook'] as const;
type Mode = (typeof MODES)[number];

const FIRST = 'POST /printjobs#1';
const KEPT = 'POST /printjobs#kept lost-after';
/** After which nobody can know whether the job was taken. */
const INDEFINITE = ['lost-after', 'cut', 'error-after', 'slow'].map((fault) => `${FIRST} ${fault}`);
const LAST = {
  twins: ['POST /printjobs#3 lost-after'],
  parallel: ['POST /printjobs#4 lost-after'],
  list: [],
  labels: [],
};

function cells(
  mode: Mode,
  sins: string,
  shows: CallerCell['shows'],
  moments: readonly string[],
): readonly CallerCell[] {
  return moments.map((moment) => ({ mode, sins, moment, shows }));
}

/** The same sin in each mode that meets it. */
const WITHOUT_KEY = (['labels', 'twins', 'parallel', 'list'] as const).flatMap((mode) =>
  ['no-key', 'key-per-try'].flatMap((sin) =>
    cells(mode, sin, 'printed-twice', [...INDEFINITE, ...(mode === 'parallel' ? [] : [KEPT]), ...LAST[mode]]),
  ),
);

export const CELLS: readonly CallerCell[] = [
  ...WITHOUT_KEY,
  ...cells('labels', 'title-per-try,no-key', 'printed-twice', [...INDEFINITE, KEPT]),
  ...cells('labels', 'no-key', 'print-jobs/caller-sends-key', [...INDEFINITE, `${FIRST} lost-before`]),
  ...cells('labels', 'key-per-try', 'print-jobs/caller-keeps-key', [...INDEFINITE, `${FIRST} lost-before`]),
  ...cells('labels', 'never-retries', 'printed-said-failed', [
    `${FIRST} lost-after`,
    `${FIRST} cut`,
    `${FIRST} slow`,
    KEPT,
  ]),
  ...cells('labels', 'conflict-fails', 'printed-said-failed', [...INDEFINITE, KEPT]),
  ...cells('labels', 'conflict-fails', 'print-jobs/caller-own-conflict', [...INDEFINITE, KEPT]),
  ...cells('labels', 'ignores-429', 'lost', [`${FIRST} busy`, `${FIRST} busy-until-quiet`]),
  ...cells('list', 'ignores-429', 'lost', [`${FIRST} busy-until-quiet`]),
  ...cells('labels', 'ignores-500', 'lost', [`${FIRST} down`]),
  ...cells('looks', 'takes-late-for-failed', 'printed-twice', ['room computer-away']),
  ...cells('labels', 'ignores-401', 'lost', [`${FIRST} key-revoked`]),
  ...cells('labels', 'exits-0', 'lost', [`${FIRST} key-revoked`]),
  ...cells('labels', 'no-key,gives-up-softly', 'lost', [`${FIRST} busy-until-quiet`]),
  ...cells('labels', 'exits-0,never-retries', 'lost', [`${FIRST} lost-before`]),
  ...cells('labels', 'hammers', 'limits/caller-waits', [`${FIRST} busy`, `${FIRST} busy-until-quiet`]),
  ...cells('labels', 'polls', 'limits/caller-asks-rarely', [`${FIRST} busy`, 'room jam']),
  ...cells('labels', 'copies-0', 'print-jobs/option-copies-positive', [`${FIRST} busy`]),
  ...cells('labels', 'deletes-nothing', 'service/set-empty-not-sent', [`${FIRST} busy`]),
  ...cells('list', 'first-page', 'printed-twice', ['POST /printjobs#2 crowd']),
  ...cells('list', 'first-page', 'service/caller-pages', ['POST /printjobs#2 crowd']),
  ...cells('hook', 'no-secret', 'events/receiver-verifies-secret', ['event forged']),
  ...cells('hook', 'takes-unsigned', 'events/receiver-verifies-secret', ['event forged']),
  ...cells('hook', 'no-secret,no-memory', 'printed-twice', ['event forged']),
  ...cells('hook', 'no-memory', 'printed-twice', ['event twice', 'POST /webhook#1 lost-after']),
  ...cells('hook', 'no-status-header', 'events/receiver-sends-header', ['event twice', 'event late']),
  ...cells('hook', 'knows-all-types', 'printed-said-failed', ['event new-type']),
  ...cells('hook', 'leaves-early', 'ended-too-early', ['event late']),
];
