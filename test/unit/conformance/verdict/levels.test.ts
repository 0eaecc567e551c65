import { expect, it } from 'vitest';

import { levelOf, spanOf, strictLevelOf } from '../../../../src/conformance/verdict/levels.ts';
import { LINK_ADVICE, LINK_CLAUSES } from '../../../../src/link/link-clauses.ts';
import { CLAUSES } from '../../../../src/specification/clauses.ts';

it('knows the level and the span of each clause, and takes what is no clause for a gap', () => {
  for (const { id, level, span } of CLAUSES) {
    expect([levelOf(id), spanOf(id)]).toEqual([level, span]);
    expect(strictLevelOf(id)).toBe(level === 'should' ? 'must' : level);
  }
  expect(new Set(CLAUSES.map(({ level }) => level)).has('should')).toBe(true);
  expect([levelOf('a/gap'), strictLevelOf('a/gap'), spanOf('a/gap')]).toEqual(['gap', 'gap', 'instant']);
});

it('takes what the device link demands for a must, and what it advises for a should', () => {
  const advised = Object.keys(LINK_CLAUSES).filter((id) => levelOf(id) === 'should');
  const demanded = Object.keys(LINK_CLAUSES).filter((id) => levelOf(id) === 'must');
  expect(advised).toEqual(['link/revoked-key-4401']);
  expect(new Set(advised)).toEqual(LINK_ADVICE);
  expect(demanded.length + advised.length).toBe(Object.keys(LINK_CLAUSES).length);
});
