/**
 * The curl commands of docs/control-api.md, as they stand there.
 */

import { afterAll, beforeAll, expect, it } from 'vitest';

import { platen, startWorkbench, type RunningWorkbench } from '../support/command-line.ts';
import { readPage } from '../support/markdown.ts';
import { commandsOf, ReaderFolder } from '../support/page-commands.ts';

/** An answer that is no success is a failure here. */
const STRICT = 'curl() { command curl -sS --fail-with-body "$@"; }';

let workbench: RunningWorkbench;
let folder: ReaderFolder;

beforeAll(async () => {
  workbench = await startWorkbench();
  folder = new ReaderFolder();
  await print('Invoice 12');
});

afterAll(async () => {
  folder.remove();
  await workbench.stop();
});

it.each(commandsOf(readPage('docs/control-api.md')))('$text', async ({ text }) => {
  const { code, stdout, stderr } = await folder.run(`${STRICT}\n${text}`, workbench);
  expect({ code, stdout, stderr }).toMatchObject({ code: 0, stderr: '' });
});

it('finds a job by the search that is shown', async () => {
  await print('Invoice 13');
  const [search] = commandsOf(readPage('docs/control-api.md'));
  const { stdout } = await folder.run(`${STRICT}\n${search?.text ?? ''}`, workbench);
  expect(stdout).toContain('Invoice 13');
});

async function print(title: string): Promise<void> {
  const argv = ['print', 'fixtures/documents/invoice.pdf', '--title', title, '--wait'];
  const { code, stderr } = await platen(argv, { env: workbench.env });
  if (code !== 0) throw new Error(stderr);
}
