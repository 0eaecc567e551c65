/**
 * All variants that go together as one: what a single run of the suite can try of them.
 */

import { withDigest, type Meddle, type Rewrite } from '../mutants/meddling-proxy.ts';
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
    rules: Object.assign({}, ...together.map(({ rules }) => rules)),
    meddle: inTurn(together.flatMap(({ meddle }) => meddle ?? [])),
    rewrite: rewriteInTurn(together.flatMap(({ rewrite }) => rewrite ?? [])),
  };
}

function inTurn(meddles: readonly Meddle[]): Meddle {
  return async (answer) => {
    let changed = answer;
    for (const meddle of meddles) {
      changed = { ...changed, ...withDigest(changed, (await meddle(changed)) ?? {}) };
    }
    const { status, headers, body } = changed;
    return { status, headers, body };
  };
}

function rewriteInTurn(rewrites: readonly Rewrite[]): Rewrite {
  return (request) => {
    let changed = request;
    for (const rewrite of rewrites) {
      const { body, ...rest } = { ...changed, ...rewrite(changed) };
      changed = { ...rest, body: typeof body === 'string' ? Buffer.from(body) : body };
    }
    return changed;
  };
}
