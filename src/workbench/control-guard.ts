/**
 * Control guard: who may use the control API.
 *
 *   bound to loopback   requests that name a loopback host, so that no foreign name resolves to us, and
 *                       that no page of another origin sent
 *   bound beyond it     requests that carry the control token
 */

import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const LOOPBACK_NAME = /^(?:localhost|(?:[a-z0-9-]+\.)+localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

export interface ControlRules {
  /** Required with every request when given. */
  readonly token: string | undefined;
}

/** Why a request is turned away; undefined when it may pass. */
export function refusalOf(headers: IncomingHttpHeaders, { token }: ControlRules): string | undefined {
  const { host = '', origin } = headers;
  if (origin !== undefined && origin !== `http://${host}`) {
    return `pages of ${origin} may not use the control API`;
  }
  if (token !== undefined) {
    return carries(headers, token) ? undefined : 'this needs the control token: Authorization: Bearer TOKEN';
  }
  return isLoopbackName(host.replace(/:\d+$/, '')) ? undefined : `'${host}' is no name of this machine`;
}

/** Whether a host name or address can only mean this machine. */
export function isLoopbackName(name: string): boolean {
  return LOOPBACK_NAME.test(name) || name === '::1';
}

function carries({ authorization = '' }: IncomingHttpHeaders, token: string): boolean {
  const given = Buffer.from(authorization);
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
