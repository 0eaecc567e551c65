import { spawnSync } from 'node:child_process';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { provoke } from '../../src/caller/provoke.ts';
import { readMoment } from '../../src/record/moments.ts';
import { PROJECT } from '../support/command-line.ts';
import { accusationsOf } from './judge-shop.ts';

const RECIPES = [
  { language: 'JavaScript', file: process.execPath, asked: '--version', words: ['submit.mjs'] },
  { language: 'Python', file: 'python3', asked: '--version', words: ['submit.py'] },
  { language: 'Go', file: 'go', asked: 'version', words: ['run', 'submit.go'] },
  { language: 'Java', file: 'java', asked: '-version', words: ['Submit.java'] },
  { language: 'PHP', file: 'php', asked: '--version', words: ['submit.php'] },
  { language: 'Ruby', file: 'ruby', asked: '--version', words: ['submit.rb'] },
];

describe.each(RECIPES)('the recipe in $language, where $file is installed', ({ file, asked, words }) => {
  const isThere = spawnSync(file, [asked]).status === 0;
  const args = words.map((word) => (word.includes('.') ? path.join(PROJECT, 'docs/guides/callers', word) : word));

  it.runIf(isThere)('prints once when an answer is lost', { timeout: 120_000 }, async () => {
    const provoked = await provoke({
      command: { file, args, windowsVerbatimArguments: false },
      workbench: {},
      signal: new AbortController().signal,
      moment: readMoment('POST /printjobs#1 lost-after'),
      onMoment: () => undefined,
    });
    if ('unfit' in provoked) throw new Error(`${provoked.unfit} ${provoked.output}`);
    expect(accusationsOf(provoked)).toEqual([]);
  });
});
