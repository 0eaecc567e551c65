import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, it } from 'vitest';

import { PROJECT } from '../support/command-line.ts';

/** The formatter breaks code and leaves comments as they are. */
const COLUMNS_MOST = 120;

it('keeps comments narrow enough to be read', () => {
  const wide = globSync('src/**/*.{ts,tsx}', { cwd: PROJECT }).flatMap((file) =>
    readFileSync(path.join(PROJECT, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        /^\s*(?:\/?\*|\/\/)/.test(line) && line.length > COLUMNS_MOST ? [`${file}:${index + 1}`] : [],
      ),
  );
  expect(wide).toEqual([]);
});
