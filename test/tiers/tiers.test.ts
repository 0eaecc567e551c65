import { globSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { PROJECT } from '../support/command-line.ts';
import { commitSample } from './commit-sample.ts';
import { contentKey } from './content-key.ts';
import { filesOf } from './tiers.ts';

function testsOf(tier: 'quick' | 'rest'): readonly string[] {
  const { include, exclude } = filesOf(tier);
  const left = new Set(globSync(exclude, { cwd: PROJECT }));
  return globSync(include, { cwd: PROJECT }).filter((file) => !left.has(file));
}

describe('the tiers', () => {
  it('have each test file between them', () => {
    const planted = globSync('test/architecture/planted/**/*.test.ts', { cwd: PROJECT });
    const all = globSync('test/**/*.test.ts', { cwd: PROJECT }).filter((file) => !planted.includes(file));
    expect([...new Set([...testsOf('quick'), ...testsOf('rest')])].toSorted()).toEqual(all.toSorted());
  });

  it('have what needs Chromium in the rest alone', () => {
    expect(testsOf('quick').filter((file) => file.startsWith('test/browser/'))).toEqual([]);
    expect(testsOf('rest')).toContain('test/browser/views.test.ts');
  });
});

describe('a sample by the commit', () => {
  const items = Array.from({ length: 100 }, (_, index) => index);

  it('is the same each time, in the order of the list, and another one for another list', () => {
    const sample = commitSample('a', items, 10);
    expect(sample).toEqual(commitSample('a', items, 10));
    expect(sample).toEqual(sample.toSorted((a, b) => a - b));
    expect(new Set(sample).size).toBe(10);
    expect(sample).not.toEqual(commitSample('b', items, 10));
  });

  it('is the whole list where that is short', () => {
    expect(commitSample('a', [1, 2], 10)).toEqual([1, 2]);
  });
});

describe('a content key', () => {
  const TAGS = 'src/conformance/rules/tags.ts';

  it('is the same for the same modules, in any order', () => {
    const states = 'src/conformance/rules/states.ts';
    expect(contentKey([TAGS, states])).toBe(contentKey([states, TAGS]));
    expect(contentKey([TAGS])).not.toBe(contentKey([states]));
  });

  it('has what a list imports only where the list is followed', () => {
    const registry = 'src/conformance/registry.ts';
    const runs = ['src/conformance/run/run-conformance.ts'];
    expect(contentKey(runs, registry)).not.toBe(contentKey(runs));
    expect(contentKey([TAGS], registry)).toBe(contentKey([TAGS]));
  });

  it('is of text that is there', () => {
    expect(contentKey([TAGS])).not.toBe(contentKey([path.join('src', 'no-such-module.ts')]));
  });
});
