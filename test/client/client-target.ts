/**
 * The reference service in a process of its own, whose computers are run by `platen client` beside CUPS.
 */

import { fileURLToPath } from 'node:url';

import { describedTarget } from '../../src/target/described.ts';
import { processTarget } from '../../src/target/process.ts';
import type { Target } from '../../src/target/target.ts';

const FILE = fileURLToPath(new URL('client.yaml', import.meta.url));

export async function startClientTarget(): Promise<Target> {
  const service = await processTarget({ limits: 'spec' });
  try {
    const environment = {
      PLATEN_URL: service.baseUrl,
      PLATEN_API_KEY: service.apiKey,
      PLATEN_SECOND_API_KEY: service.secondApiKey,
    };
    const target = await describedTarget({ file: FILE, environment });
    return {
      ...target,
      isDisposable: true,
      async close() {
        await target.close();
        await service.close();
      },
    };
  } catch (error) {
    await service.close();
    throw error;
  }
}
