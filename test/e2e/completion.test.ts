/**
 * platen completion, in the shells that are installed here.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createProgram } from '../../src/cli/main.ts';
import { platen } from '../support/command-line.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-completion-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function script(shell: string): Promise<string> {
  const { code, stdout } = await platen(['completion', shell]);
  expect(code).toBe(0);
  const file = path.join(folder, `platen.${shell}`);
  writeFileSync(file, stdout);
  return file;
}

/** What bash offers for the last of these words. */
function offered(file: string, words: readonly string[]): readonly string[] {
  const typed = words.map((word) => `'${word}'`).join(' ');
  const program = `source '${file}'; COMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _platen; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', program], { cwd: folder, encoding: 'utf8' }).trim().split('\n');
}

describe('in bash', () => {
  let file: string;
  beforeAll(async () => {
    file = await script('bash');
  });

  it('completes every command', () => {
    const { commands } = createProgram(() => undefined);
    expect(offered(file, ['platen', ''])).toEqual([...commands.map((command) => command.name()), 'help']);
  });

  it.each([
    [['platen', 'che'], ['check']],
    [['platen', 'check', '--prof'], ['--profile']],
    [
      ['platen', 'check', '--profile', ''],
      ['full', 'smoke'],
    ],
    [['platen', '--por'], ['--port']],
    [['platen', 'run', 'jam-on'], ['jam-on-page-three']],
    [['platen', 'run', 'edge'], ['edge-cases']],
    [['platen', 'print', 'inv'], ['invoice']],
    [['platen', 'faults', 'sca'], ['scale']],
    [['platen', 'clock', 'ad'], ['advance']],
  ])('completes %j to %j', (words, completed) => {
    expect(offered(file, words)).toEqual(completed);
  });

  it('completes options of every command', () => {
    for (const command of createProgram(() => undefined).commands) {
      const options = command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => long ?? []);
      expect(offered(file, ['platen', command.name(), '--'])).toEqual([...options, '--help']);
    }
  });

  it('completes files of the caller', () => {
    writeFileSync(path.join(folder, 'jamboree.yaml'), '');
    expect(offered(file, ['platen', 'run', 'jam'])).toEqual(['jam-on-page-three', 'jamboree.yaml']);
  });
});

it('refuses a shell that it does not know', async () => {
  const { code, stderr } = await platen(['completion', 'tcsh']);
  expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringContaining('bash, zsh, fish') });
});

it.each(['zsh', 'fish'])('has commands, options and names for %s', async (shell) => {
  const file = await script(shell);
  const { stdout } = await platen(['completion', shell]);
  for (const word of ['check', 'profile', 'smoke', 'jam-on-page-three', 'invoice']) expect(stdout).toContain(word);
  expect(file).toContain(shell);
});
