/**
 * Control guard: who may use the control API.
 *
 *   everywhere          no page of another site or origin: a browser tells of GETs in Sec-Fetch-Site alone
 *   bound to loopback   requests that name a loopback host, so that no foreign name resolves to us
 *   bound beyond it     requests that carry the control token
 */

import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const LOOPBACK_NAME = /^(?:localhost|(?:[a-z0-9-]+\.)+localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/** Values of Sec-Fetch-Site; `none` is what a person typed, and programs send none. */
const FOREIGN_SITES = ['cross-site', 'same-site'];

/** The page sets it, for itself alone (SameSite=Strict). */
const COOKIE = 'platen-control-token';

export interface ControlRules {
  /** Required with every request when given. */
  readonly token: string | undefined;
  /** Of the origin of our own page; `http` unless given. */
  readonly scheme?: 'http' | 'https';
}

/** Why a request is turned away; undefined when it may pass. */
export function refusalOf(headers: IncomingHttpHeaders, { token, scheme = 'http' }: ControlRules): string | undefined {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  if (FOREIGN_SITES.includes(String(site))) return `pages of other sites may not use the control API (${site})`;
  if (origin !== undefined && origin !== `${scheme}://${host}`) {
    return `pages of ${origin} may not use the control API`;
  }
  if (token !== undefined) {
    return carries(headers, token) ? undefined : 'this needs the control token: Authorization: Bearer TOKEN';
  }
  return isLoopbackName(host.replace(/:\d+$/, '')) ? undefined : `'${host}' is not a name of this machine`;
}

/** Whether a host name or address can only mean this machine. */
export function isLoopbackName(name: string): boolean {
  return LOOPBACK_NAME.test(name) || name === '::1';
}

/** As a bearer token, or as the cookie of our own page: a picture and an event feed cannot carry the first. */
function carries({ authorization = '', cookie = '' }: IncomingHttpHeaders, token: string): boolean {
  const cookies = cookie.split(';').map((one) => one.trim());
  return isSame(authorization, `Bearer ${token}`) || cookies.some((one) => isSame(one, `${COOKIE}=${token}`));
}

function isSame(text: string, secret: string): boolean {
  const given = Buffer.from(text);
  const wanted = Buffer.from(secret);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
