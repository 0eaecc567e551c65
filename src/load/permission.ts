/**
 * Permission to load a target. This machine may always be loaded. Any other host must be named by the caller, and
 * must agree: it serves an agreed token at a well-known path, before the run and for as long as it lasts.
 */

import { usageError } from '../common/actionable-error.ts';
import { systemClock, type Timer } from '../common/clock.ts';
import { messageOf } from '../common/error-message.ts';
import { LOAD_PERMISSION_PATH } from '../common/load-permission.ts';
import { isLoopback } from '../common/loopback.ts';
import { createHttpSender } from '../wire/http-exchange.ts';

export interface Permission {
  /** Hosts that may be loaded, as `--allow-load-on` names them. */
  readonly allowedHosts: readonly string[];
  readonly token?: string | undefined;
}

const ASK_EVERY_MS = 60_000;

/** @throws ActionableError when the target must not be loaded */
export async function ensurePermission(baseUrl: string, { allowedHosts, token }: Permission): Promise<void> {
  if (isLoopback(baseUrl)) return;
  const { hostname, host } = new URL(baseUrl);
  if (!allowedHosts.includes(hostname) && !allowedHosts.includes(host)) {
    throw usageError(
      `${hostname} is not this machine, and no option allows a load on it`,
      `If you may load it, add --allow-load-on ${hostname} --load-token TOKEN, and serve TOKEN there at ${LOAD_PERMISSION_PATH}.`,
    );
  }
  if (token === undefined || token === '') {
    throw usageError(
      `a load on ${hostname} needs a token that the host confirms`,
      `Add --load-token TOKEN, and serve the same token at ${LOAD_PERMISSION_PATH} of the service.`,
    );
  }
  const found = await servedToken(baseUrl);
  if (found === token) return;
  throw usageError(
    `${hostname} does not permit a load: ${baseUrl}${LOAD_PERMISSION_PATH} ${found === undefined ? 'does not answer with 200' : 'has another token'}`,
    'It must serve the token of --load-token, and nothing else.',
  );
}

/** Asks again every minute; calls `withdrawn` once when the target no longer agrees. */
export function watchPermission(baseUrl: string, permission: Permission, withdrawn: (reason: string) => void): Timer {
  if (isLoopback(baseUrl)) return { cancel: () => undefined };
  const timer = systemClock.beat(ASK_EVERY_MS, () => {
    ensurePermission(baseUrl, permission).catch((error: unknown) => {
      timer.cancel();
      withdrawn(messageOf(error));
    });
  });
  return timer;
}

async function servedToken(baseUrl: string): Promise<string | undefined> {
  const sender = createHttpSender();
  try {
    const outcome = await sender.send({ method: 'GET', baseUrl, path: LOAD_PERMISSION_PATH, headers: [] });
    if (!outcome.ok || outcome.value.response.status !== 200) return undefined;
    return outcome.value.response.body.toString('utf8').trim();
  } finally {
    await sender.close();
  }
}
