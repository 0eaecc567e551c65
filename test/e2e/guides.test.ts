/**
 * The guides, followed to the letter: every command does what they say.
 */

import { globSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { PROJECT, startWorkbench, type RunningWorkbench } from '../support/command-line.ts';
import { readPage } from '../support/markdown.ts';
import { commandsOf, ReaderFolder } from '../support/page-commands.ts';

/** Tried where they stand first. */
const TRIED_ELSEWHERE = new Set(commandsOf(readPage('README.md')).map(({ text }) => text));

const GUIDES = globSync('docs/guides/*.md', { cwd: PROJECT }).toSorted().map(readPage);

/** What a guide needs beside Node. */
const PARTS: Readonly<Record<string, string>> = { 'docs/guides/test-a-client.md': 'print-system' };

for (const guide of GUIDES)
  describe(`the commands of ${guide.file}`, { tags: [PARTS[guide.file] ?? []].flat() }, () => {
    let workbench: RunningWorkbench;
    let folder: ReaderFolder;

    beforeAll(async () => {
      workbench = await startWorkbench();
      folder = new ReaderFolder();
      folder.save(guide, workbench);
    });

    afterAll(async () => {
      folder.remove();
      await workbench.stop();
    });

    const commands = commandsOf(guide);

    it.each(commands.filter(({ text }) => !TRIED_ELSEWHERE.has(text)))(
      '$text',
      { timeout: 60_000 },
      async ({ text, exitCode }) => {
        const { code, stdout, stderr } = await folder.run(text, workbench);
        expect({ code, stdout, stderr }).toMatchObject({ code: exitCode });
      },
    );

    it('starts with something that works within a minute', () => {
      expect(guide.text).toMatch(/^# .*\n\n(?:.+\n)+\n## In a minute\n/);
      expect(commands.length).toBeGreaterThanOrEqual(3);
    });
  });

it('shows in docs/scenarios.md how the scenario of its example ends, and how to fix it', async () => {
  const page = readPage('docs/scenarios.md');
  const workbench = await startWorkbench();
  const folder = new ReaderFolder();
  folder.save(page, workbench);
  const first = await folder.run('npx platen run my.yaml', workbench);
  await workbench.stop();
  folder.remove();
  expect(first).toMatchObject({ code: 1 });
  for (const line of ['file     my.yaml', 'expected 3', 'actual   1', 'at       sheets of letter']) {
    expect([page.text.includes(line), first.stdout.includes(line)]).toEqual([true, true]);
  }
});
