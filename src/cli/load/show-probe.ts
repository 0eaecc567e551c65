/**
 * platen run --probe: how many requests per second single endpoints serve.
 */

import type { Permission } from '../../load/permission.ts';
import type { LoadTarget } from '../../load/shard/shard-messages.ts';
import { err, table } from '../screen/terminal.ts';

/** @throws ActionableError when the target must not be loaded */
export async function showProbe({ baseUrl, apiKey }: LoadTarget, permission: Permission): Promise<void> {
  const { ensurePermission } = await import('../../load/permission.ts');
  const { PROBED_PATHS, crossCheck } = await import('../../load/traffic/saturation-probe.ts');
  await ensurePermission(baseUrl, permission);
  const rows = [['endpoint', 'platen /s', 'autocannon /s', 'ratio', 'CPU µs', 'CPU µs']];
  for (const probed of PROBED_PATHS) {
    const { own, autocannon } = await crossCheck({ baseUrl, apiKey, path: probed });
    rows.push([
      `GET ${probed}`,
      own.requestsPerSecond.toFixed(0),
      autocannon.requestsPerSecond.toFixed(0),
      (own.requestsPerSecond / autocannon.requestsPerSecond).toFixed(2),
      own.cpuPerRequestUs.toFixed(0),
      autocannon.cpuPerRequestUs.toFixed(0),
    ]);
  }
  err(table(rows, '  '));
}
