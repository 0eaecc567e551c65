/**
 * A service in a process of its own, whose computers are run by `platen client` beside CUPS, or reached over the link.
 */

import { fileURLToPath } from 'node:url';

import { describedTarget } from '../../src/targets/described.ts';
import { processTarget } from '../../src/targets/process.ts';
import type { Target } from '../../src/targets/target.ts';
import { startProgram, STRANGERS, type Stranger } from '../strangers/strangers.ts';

/** How computers reach the service: a descriptor for each. */
const FILES = { client: 'client.yaml', link: 'link.yaml' } as const;

/** The reference service, or one by strangers. */
export const CLIENT_SERVICES = ['reference', ...STRANGERS] as const;

export type ClientService = 'reference' | Stranger;

export async function startClientTarget(
  name: ClientService = 'reference',
  by: keyof typeof FILES = 'client',
): Promise<Target> {
  const service = name === 'reference' ? await processTarget({ limits: 'spec' }) : await startProgram(name);
  try {
    const environment = {
      PLATEN_URL: 'baseUrl' in service ? service.baseUrl : service.url,
      PLATEN_API_KEY: service.apiKey,
      PLATEN_SECOND_API_KEY: service.secondApiKey,
    };
    const target = await describedTarget({ file: fileURLToPath(new URL(FILES[by], import.meta.url)), environment });
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
