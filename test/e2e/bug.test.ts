/**
 * An error that no code catches, in the middle of a command: it ends with 70 and says how to report it.
 */

import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it } from 'vitest';

import { platen } from '../support/command-line.ts';

const CALL = ['check', 'http://127.0.0.1:1', '--key', 'a-key', '--link'];

it.each([
  ['thrown', 'queueMicrotask(() => { throw new Error("it\\u001b[2J broke\\nPASSED"); });'],
  ['rejected', 'Promise.reject(new Error("it\\u001b[2J broke\\nPASSED"));'],
])(
  'tells of an error that is %s when nobody waits for it, as text',
  async (_, code) => {
    using folder = mkdtempDisposableSync(path.join(tmpdir(), 'platen-bug-'));
    const module = path.join(folder.path, 'link.mjs');
    writeFileSync(module, `${code}\nexport const link = { open() {} };\n`);
    const { code: exitCode, stderr } = await platen([...CALL, module]);
    expect(exitCode).toBe(70);
    const lines = stderr.trimEnd().split('\n');
    expect(lines.slice(0, 2)).toEqual([
      'error: platen itself broke; this is a bug of platen',
      String.raw`Error: it\u001b[2J broke\nPASSED`,
    ]);
    expect(lines.at(-2)).toContain('report it with these lines');
    expect(lines.at(-1)).toMatch(/^platen \d.*, Node v\d.*$/);
  },
  30_000,
);
