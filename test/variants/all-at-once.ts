/**
 * All variants that go together as one: what a single run of the suite can try of them.
 */

import { withDigest, type Meddle, type Meddling } from '../mutants/meddling-proxy.ts';
import { VARIANTS, type Variant } from './variants.ts';

/** Those that contradict another one, and those that a proxy cannot stand before. */
const BY_THEMSELVES: ReadonlySet<string> = new Set([
  'slow',
  'bare-print-jobs',
  'expire-at-null',
  'burst-25',
  'refused-requests-cost',
  'rate-per-address',
  'rate-per-both',
  'lower-case-headers',
  'tags-object',
  'limit-250',
  'events-with-more',
]);

export function allAtOnce(): Variant {
  const together = VARIANTS.filter(({ id }) => !BY_THEMSELVES.has(id));
  return {
    id: 'all-at-once',
    where: 'gap/other-print-job-states',
    what: `${together.length} variants at once`,
    choices: Object.assign({}, ...together.map(({ choices }) => choices)),
    parts: Object.assign({}, ...together.map(({ parts }) => parts)),
    meddle: inTurn(together.flatMap(({ meddle }) => meddle ?? [])),
    redirect: redirectInTurn(together.flatMap(({ redirect }) => redirect ?? [])),
  };
}

function inTurn(meddles: readonly Meddle[]): Meddle {
  return (answer) => {
    let changed = answer;
    for (const meddle of meddles) changed = { ...changed, ...withDigest(changed, meddle(changed) ?? {}) };
    const { status, headers, body } = changed;
    return { status, headers, body };
  };
}

function redirectInTurn(
  redirects: readonly NonNullable<Meddling['redirect']>[],
): NonNullable<Meddling['redirect']> {
  return (request) => {
    let changed = request;
    for (const redirect of redirects) changed = { ...changed, ...redirect(changed) };
    return changed;
  };
}
