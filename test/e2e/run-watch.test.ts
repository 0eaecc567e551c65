/**
 * platen run --watch, as a person uses it who writes a scenario.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it } from 'vitest';

import { within } from '../../src/common/waiter.ts';
import { cleanEnvironment, platen, PROJECT } from '../support/command-line.ts';
import { soon } from '../support/soon.ts';

const LETTER = (document: string, sheets: number): string => `title: A letter prints
why: A person wants to know that a letter prints.
steps:
  - submit: { as: letter, printer: Laser, document: ${document} }
  - wait: { job: letter, printouts: 1 }
expect: { sheets: { letter: ${sheets} } }
`;

it('plays again when the file or its document changes, also after a mistake', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-watch-'));
  const file = path.join(folder, 'mine.yaml');
  writeFileSync(file, LETTER('three-pages.pdf', 3));
  const argv = [path.join(PROJECT, 'bin/platen.js'), 'run', file, '--watch', '--out', path.join(folder, 'out')];
  const child = spawn(process.execPath, argv, { cwd: folder, env: cleanEnvironment({}) });
  let seen = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (seen += bytes.toString()));
  const says = async (text: string): Promise<void> => {
    await soon(
      `'${text}' and the end of a round`,
      '20s',
      () => (seen.includes(text) && seen.includes('q or Ctrl-C ends')) || undefined,
      { every: '20ms' },
    );
    seen = '';
  };
  try {
    await says('1 passed');
    writeFileSync(file, LETTER('three-pages.pdf', 3).replace('submit', 'submitt'));
    await says("did you mean 'submit'?");
    copyFileSync(path.join(PROJECT, 'fixtures/documents/three-pages.pdf'), path.join(folder, 'own.pdf'));
    writeFileSync(file, LETTER('./own.pdf', 3));
    await says('1 passed');
    copyFileSync(path.join(PROJECT, 'fixtures/documents/blank-in-the-middle.pdf'), path.join(folder, 'own.pdf'));
    await says('A letter prints');
    writeFileSync(file, LETTER('invoice.pdf', 2));
    await says('1 failed');
    child.kill('SIGINT');
    const [code] = (await within(once(child, 'exit'), { description: 'the end of the watch', limit: '5s' })) as [
      number,
    ];
    expect(code).toBe(1);
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}, 60_000);

it('refuses to play loads again and again', async () => {
  const { code, stderr } = await platen(['run', 'ten-seconds', '--watch']);
  expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringContaining('Omit --watch') });
});
