import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';

import { PROJECT, run, type Finished } from '../support/command-line.ts';

/** Stands for npx: runs this checkout instead of a package from a registry. */
const NPX = `#!/bin/sh
# An image wants an engine: that it is asked for is enough.
case " $* " in *" --image "*) echo "npx $*"; exit 0 ;; esac
[ "$1 $2 $3 $4 $5" = "--yes --package $PLATEN_PACKAGE -- platen" ] || { echo "npx $*" >&2; exit 99; }
shift 5
exec node '${path.join(PROJECT, 'bin/platen.js')}' "$@"
`;

const TARBALL = './platen.tgz';

const GREEN = { code: 0, stdout: expect.stringContaining('passed') as string, hasJunit: true };

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly { run: string; env: Readonly<Record<string, string>> }[] };
}

it('checks a service by the action for GitHub', async () => {
  const played = await playAction({ package: TARBALL, profile: 'smoke', arguments: '--seed 7 --grep ping' });
  expect(played).toMatchObject(GREEN);
}, 30_000);

it('brings testcontainers along where the action for GitHub is given an image', async () => {
  const { code, stdout } = await playAction({ package: TARBALL, image: 'service:latest', profile: 'smoke' });
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /--package \.\/platen\.tgz --package testcontainers -- platen check --image service:latest --profile smoke/,
    ) as string,
  });
});

it('checks a service by the job for GitLab', async () => {
  const file = parse(read('deploy/gitlab/platen-check.yml')) as Record<string, unknown>;
  const { script, variables } = file['platen-check'] as {
    script: readonly string[];
    variables: Readonly<Record<string, string>>;
  };
  const played = await play(script.join('\n'), {
    ...variables,
    PLATEN_PACKAGE: TARBALL,
    PLATEN_PROFILE: 'smoke',
  });
  expect(played).toMatchObject(GREEN);
}, 30_000);

it('installs nothing of a name on npm that is not ours', async () => {
  const { code, stderr } = await playAction({ profile: 'smoke' });
  expect([code, stderr]).toEqual([64, expect.stringContaining('not on npm yet')]);
});

/** Plays the action with these inputs. */
function playAction(given: Readonly<Record<string, string>>): ReturnType<typeof play> {
  const { inputs, runs } = parse(read('action.yml')) as Action;
  const [step] = runs.steps;
  const env = Object.entries(step?.env ?? {}).map(([name, text]) => [
    name,
    text.replaceAll(/\$\{\{ inputs\.(\w+) \}\}/g, (_, input: string) => given[input] ?? inputs[input]?.default ?? ''),
  ]);
  return play(step?.run ?? '', Object.fromEntries(env) as Record<string, string>);
}

/** Plays a script as the pipeline would, in an empty folder. */
async function play(
  script: string,
  env: Readonly<Record<string, string>>,
): Promise<Finished & { readonly hasJunit: boolean }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-pipeline-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path.join(folder, 'npx'), NPX, { mode: 0o755 });
  const PATH = [folder, path.dirname(process.execPath), process.env['PATH']].join(':');
  const argv = ['-eo', 'pipefail', '-c', script];
  const finished = await run('bash', argv, { cwd: folder, env: { ...env, PATH } });
  return { ...finished, hasJunit: existsSync(path.join(folder, 'reports/platen/junit.xml')) };
}

function read(name: string): string {
  return readFileSync(path.join(PROJECT, name), 'utf8');
}
