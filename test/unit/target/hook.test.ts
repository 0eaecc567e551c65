import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';

import { messageOf } from '../../../src/common/error-message.ts';
import { createHook } from '../../../src/target/hook.ts';

it('says once what a command that fails has written', async () => {
  const hook = createHook(
    'reset',
    { command: 'echo no such clock >&2; exit 3' },
    { folder: tmpdir(), url: 'http://x' },
  );
  const message = await hook(1).then(() => '', messageOf);
  expect(message).toMatch(/^the hook reset failed: Command failed: /);
  expect(message.split('\n').filter((line) => line === 'no such clock')).toHaveLength(1);
});
