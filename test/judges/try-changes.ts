/**
 * Tries changes of judging code: does the compiler refuse it, and if not, does a unit test fail?
 *
 *   change ─► compiler ─ refuses it: it cannot be made
 *                │
 *                └──► unit tests of the file ─ one fails: killed ─ all pass: survived
 *
 * One compiler and one vitest serve all changes; only the changed module is read anew.
 */

import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { API } from 'typescript/unstable/sync';
import { createVitest, type CliOptions, type Vitest } from 'vitest/node';

import { PROJECT } from '../support/command-line.ts';
import { withCallInLoops, type Change } from './changes.ts';
import type { Fate } from './fate-book.ts';
import type { JudgingFile } from './judging-files.ts';

/** Diagnostics about code that is no longer used: untidy, not wrong. */
const UNUSED = new Set([6133, 6138, 6192, 6196, 6198, 6199, 7027]);
const TEST_LIMIT_MS = 5_000;

export class ChangedRuns implements AsyncDisposable {
  readonly #vitest: Vitest;
  readonly #compiler: Compiler;
  readonly #changed: Map<string, string>;

  private constructor(vitest: Vitest, changed: Map<string, string>) {
    this.#vitest = vitest;
    this.#changed = changed;
    this.#compiler = new Compiler(changed);
  }

  static async start(): Promise<ChangedRuns> {
    const changed = new Map<string, string>();
    const options: CliOptions = {
      config: false,
      root: PROJECT,
      watch: false,
      include: ['test/unit/**/*.test.ts'],
      pool: 'threads',
      isolate: false,
      maxWorkers: 1,
      bail: 1,
      reporters: [{}],
      setupFiles: [fileURLToPath(new URL('each-test.ts', import.meta.url))],
      fsModuleCache: false,
      testTimeout: TEST_LIMIT_MS,
    };
    const vitest = await createVitest(options, {
      plugins: [
        {
          name: 'changed-source',
          enforce: 'pre',
          transform: (code, id) => (isOurs(id) ? withCallInLoops(changed.get(id) ?? code, 'turnOfLoop()') : undefined),
        },
      ],
    });
    return new ChangedRuns(vitest, changed);
  }

  /** The first of the tests of a file that fails; undefined when all pass. */
  async failure({ tests }: JudgingFile): Promise<string | undefined> {
    const { testModules, unhandledErrors } = await this.#vitest.runTestSpecifications(
      tests.flatMap((test) => this.#vitest.getRootProject().createSpecification(test)),
    );
    // Files that ran before are still among them.
    const failed = testModules.find((module) => tests.includes(module.moduleId) && !module.ok());
    if (!failed) return unhandledErrors.length === 0 ? undefined : 'an error that no test expects';
    const [test] = failed.children.allTests('failed');
    return `${test?.fullName}: ${test?.result().errors?.[0]?.message}`;
  }

  async try(judging: JudgingFile, { source }: Change): Promise<Fate> {
    const file = path.join(PROJECT, judging.file);
    this.#changed.set(file, source);
    try {
      if (this.#compiler.refuses(file)) return 'refused';
      this.#vitest.invalidateFile(file);
      return (await this.failure(judging)) === undefined ? 'survived' : 'killed';
    } finally {
      this.#changed.delete(file);
      this.#vitest.invalidateFile(file);
      this.#compiler.forget(file);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#compiler.close();
    await this.#vitest.close();
  }
}

function isOurs(file: string): boolean {
  return /^(src|test\/unit|test\/support)\//.test(path.relative(PROJECT, file));
}

class Compiler {
  readonly #api: API;
  readonly #config = path.join(PROJECT, 'tsconfig.json');

  constructor(changed: ReadonlyMap<string, string>) {
    this.#api = new API({ cwd: PROJECT, fs: { readFile: (file) => changed.get(file) } });
    this.#api.updateSnapshot({ openProjects: [this.#config] });
  }

  refuses(file: string): boolean {
    using snapshot = this.#api.updateSnapshot({ fileChanges: { changed: [file] } });
    const program = snapshot.getProject(this.#config)?.program;
    if (!program) throw new Error(`${this.#config} was not opened`);
    const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return found.some(({ code }) => !UNUSED.has(code));
  }

  forget(file: string): void {
    this.#api.updateSnapshot({ fileChanges: { changed: [file] } }).dispose();
  }

  close(): void {
    this.#api.close();
  }
}
