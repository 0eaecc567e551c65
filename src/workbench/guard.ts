/**
 * Guard: who may ask a workbench for what. A browser is a stranger: any page in it can make it send requests here, and
 * the API key that a workbench has unless another is given is known to everybody.
 *
 *                       control API   health   files of the page      printing API
 *   a foreign Host      no            no       no                     no             when bound to loopback
 *   a foreign page      no            no       if a person follows    no             while the key is the known one
 *                                              a link
 *   on behalf           no            no       no                     yes
 *   without the token   no            yes      yes                    yes            when bound beyond loopback
 */

import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import { isLoopbackName } from '../common/loopback.ts';
import { ON_BEHALF } from '../common/on-behalf.ts';

/** Values of Sec-Fetch-Site; `none` is what a person typed, and programs send none. */
const FOREIGN_SITES = ['cross-site', 'same-site'];

/** The page sets it, for itself alone (SameSite=Strict). */
const COOKIE = 'platen-control-token';

export interface GuardRules {
  /** Required by the control API beyond loopback; undefined on loopback, where Host has to name this machine. */
  readonly token: string | undefined;
  /** Whether the API key is the one that everybody knows. */
  readonly isKeyKnown: boolean;
  /** The scheme of the page's own origin. */
  readonly scheme: 'http' | 'https';
}

/** Whether a request lacks the token that the control API wants. */
export function lacksToken(headers: IncomingHttpHeaders, { token }: GuardRules): boolean {
  return token !== undefined && !carries(headers, token);
}

/** Why a request may not use the control API, whether or not it has its token; undefined when it may. */
export function strangerRefusal(headers: IncomingHttpHeaders, rules: GuardRules): string | undefined {
  const { host = '', origin, 'sec-fetch-site': site, 'user-agent': agent } = headers;
  if (FOREIGN_SITES.includes(String(site))) return `pages of other sites may not use the control API (${site})`;
  if (origin !== undefined && origin !== `${rules.scheme}://${host}`) {
    return `pages of ${origin} may not use the control API`;
  }
  if (agent === ON_BEHALF['user-agent']) return 'webhooks, documents and logins may not lead to the control API';
  return nameRefusal(headers, rules);
}

/** The same for the files of the page: a person may follow a link to it from anywhere. */
export function pageRefusal(headers: IncomingHttpHeaders, rules: GuardRules): string | undefined {
  const isFollowed = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return isFollowed ? nameRefusal(headers, rules) : strangerRefusal(headers, rules);
}

/** Why a request may not use the printing API, whatever key it carries; undefined when it may. */
export function printingRefusal({ method, headers }: IncomingMessage, rules: GuardRules): string | undefined {
  // A browser always names a host; what else is wrong with a request without one is for the service to say.
  const refusal = headers.host ? nameRefusal(headers, rules) : undefined;
  // A preflight does nothing, and lets the page read why the request after it is refused.
  if (refusal !== undefined || !rules.isKeyKnown || method === 'OPTIONS') return refusal;
  const page = foreignPage(headers);
  return page && `pages of ${page} may not print with an API key that everybody knows: start with another --key`;
}

/** On loopback, a foreign name is that of a page which has made it lead here. */
function nameRefusal({ host = '' }: IncomingHttpHeaders, { token }: GuardRules): string | undefined {
  if (token !== undefined || isLoopbackName(host.replace(/:\d+$/, ''))) return undefined;
  return `'${host}' is not a name of this machine: use localhost, or start with --host 0.0.0.0 to be reached by others`;
}

/** Apps that are developed on this machine are no strangers. */
function foreignPage({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders): string | undefined {
  if (origin === undefined) return FOREIGN_SITES.includes(String(site)) ? 'other sites' : undefined;
  const page = URL.parse(origin);
  const isOurs = page !== null && (page.host === host || isLoopbackName(page.hostname));
  return isOurs ? undefined : origin;
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
