import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { expect, it } from 'vitest';

import { GuardedFolder } from '../../../src/targets/guarded-folder.ts';
import { soon } from '../../support/soon.ts';

const MODULE = new URL('../../../src/targets/guarded-folder.ts', import.meta.url).href;

it('is gone when it is closed, with what is in it', async () => {
  const folder = await GuardedFolder.make('platen-folder-');
  writeFileSync(path.join(folder.path, 'file'), 'content');
  await folder.close();
  expect(existsSync(folder.path)).toBe(false);
});

it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('is gone after the end of its process by %s', async (signal) => {
  const source = `import { GuardedFolder } from '${MODULE}';
    import { writeFileSync } from 'node:fs';
    const { path } = await GuardedFolder.make('platen-folder-');
    writeFileSync(path + '/file', 'content');
    console.log(path);
    setInterval(() => undefined, 1000);`;
  const owner = spawn(process.execPath, ['--input-type=module-typescript', '-e', source], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [text] = (await once(owner.stdout, 'data')) as [Buffer];
  const made = text.toString().trim();
  expect(existsSync(path.join(made, 'file'))).toBe(true);
  owner.kill(signal);
  await soon(`the end of ${made}`, '15s', () => !existsSync(made) || undefined);
});
