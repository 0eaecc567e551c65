/**
 * The commands of a page, run as a reader would: one after the other, in one folder, with a workbench in another terminal.
 *
 *   ```sh blocks                       the commands; `# exit code 2` after one says what it ends with, 0 otherwise
 *   … `shop.yaml`: and a yaml block    a file that the reader is asked to save
 */

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { PROJECT, run, type Finished, type RunningWorkbench } from './command-line.ts';
import { codeBlocks, type MarkdownPage } from './markdown.ts';

export interface PageCommand {
  readonly text: string;
  readonly exitCode: number;
}

/** Addresses that stand for the service of the reader. */
const STAND_INS = /http:\/\/127\.0\.0\.1:8631|https:\/\/print\.example/g;

export function commandsOf(page: MarkdownPage): readonly PageCommand[] {
  return codeBlocks(page)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.trim().split('\n'))
    .map((line) => {
      const [text = '', code = '0'] = line.split(/ +# exit code /);
      return { text, exitCode: Number(code) };
    });
}

/** What npx does with a program that is installed; npm itself starts for a second before it does. */
const NPX = `#!/bin/sh
program=$1
shift
exec "$(dirname "$0")/../node_modules/.bin/$program" "$@"
`;

/** A reader's folder: `npx platen` works there, and the scenarios and documents are there. */
export class ReaderFolder {
  readonly path = mkdtempSync(path.join(tmpdir(), 'platen-reader-'));
  readonly #programs = path.join(this.path, 'programs');

  constructor() {
    for (const name of ['scenarios', 'fixtures']) {
      symlinkSync(path.join(PROJECT, name), path.join(this.path, name));
    }
    mkdirSync(path.join(this.path, 'node_modules/.bin'), { recursive: true });
    symlinkSync(PROJECT, path.join(this.path, 'node_modules/platen'));
    symlinkSync(path.join(PROJECT, 'bin/platen.js'), path.join(this.path, 'node_modules/.bin/platen'));
    mkdirSync(this.#programs);
    writeFileSync(path.join(this.#programs, 'npx'), NPX, { mode: 0o755 });
  }

  /** Saves what a page tells its reader to save. */
  save(page: MarkdownPage, workbench: RunningWorkbench): void {
    for (const { lead, text } of codeBlocks(page)) {
      const name = /`([\w-]+\.yaml)`:$/.exec(lead)?.[1];
      if (name !== undefined) writeFileSync(path.join(this.path, name), text.replaceAll(STAND_INS, workbench.url));
    }
  }

  run(command: string, workbench: RunningWorkbench): Promise<Finished> {
    const programs = [this.#programs, path.dirname(process.execPath), process.env['PATH']];
    const env = { ...workbench.env, PRINT_KEY: workbench.apiKey, PATH: programs.join(':') };
    return run('sh', ['-c', command.replaceAll(STAND_INS, workbench.url)], { cwd: this.path, env });
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
