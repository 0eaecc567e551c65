/**
 * What tests of a file share in runners that do not see a forgotten `await`.
 */

import { afterAll, describe, expect, it } from 'vitest';

import { MATCHERS } from '../../../src/testing/matchers.ts';
import { SharedWorkbench, watched } from '../../../src/testing/shared-workbench.ts';

const PLACE = { file: 'letters.test.js', name: 'a letter' };

describe('a matcher that takes its time', () => {
  const shared = new SharedWorkbench({});
  const matchers = watched(MATCHERS);
  afterAll(() => shared.close());

  it('fails the test that ends before it has answered', async () => {
    const forgetful = shared.run(PLACE, async ({ platen }) => {
      void matchers.toHavePrinted(await platen.print('three-pages'), 'page 1');
    });
    await expect(forgetful).rejects.toThrow(/^toHavePrinted was not awaited/);
  });

  it('leaves alone a test that waits for it, whatever it answers', async () => {
    await shared.run(PLACE, async ({ platen }) => {
      const job = await platen.print('three-pages');
      expect(await matchers.toHavePrinted(job, 'page 1')).toMatchObject({ pass: true });
      await expect(matchers.toHavePrinted('no job')).rejects.toThrow('toHavePrinted wants a job');
    });
  });
});

it('refuses an option that there is not', async () => {
  const strange = { clock: 'virtual', clocks: 'real' } as const;
  await expect(new SharedWorkbench(strange).start()).rejects.toThrow(
    "there is no option of platenTest 'clocks'; did you mean 'clock'?",
  );
});
