/**
 * A request as it was sent: whose key it carries, which value its body has, and whether something about it is so odd
 * that a service may refuse it for that alone.
 */

import { basicAuthorization } from '../../common/basic-authorization.ts';
import { headerValues, type HeaderPair } from '../../common/header-pairs.ts';
import { NotJson, parseJson } from '../../common/json-value.ts';
import { LIMITS } from '../../specification/limits.ts';
import { CHILD_HEADER } from '../invariant.ts';
import type { SeenExchange } from './observation.ts';

interface SentRequest {
  readonly path: string;
  readonly headers: readonly HeaderPair[];
  readonly body?: Uint8Array | string | undefined;
}

export function asSent(request: SentRequest): Pick<SeenExchange, 'apiKey' | 'sent' | 'isOdd'> {
  const bytes = request.body === undefined ? undefined : Buffer.from(request.body);
  const value = bytes === undefined || bytes.length === 0 ? undefined : parseJson(bytes);
  const isJson = !(value instanceof NotJson);
  const isOdd =
    hasOddHeaders(request) || (bytes !== undefined && bytes.length > 0 && isOddBody(request, bytes, isJson));
  return { apiKey: keyIn(request), sent: isJson ? value : undefined, isOdd };
}

/** Empty where there is no key, or where it is not written as the specification shows it. */
function keyIn({ headers }: SentRequest): string {
  const [given, ...others] = headerValues(headers, 'authorization');
  const encoded = /^basic +(\S+)$/i.exec(given ?? '')?.[1] ?? '';
  const [user = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return others.length === 0 && given === basicAuthorization(user) ? user : '';
}

const BROKEN_ESCAPE = /%(?![\da-f]{2})/i;
const SINGLE = ['authorization', 'content-type', 'idempotency-key'];

function hasOddHeaders({ path, headers }: SentRequest): boolean {
  const children = headers.filter(([name]) => CHILD_HEADER.test(name));
  const isRepeated = SINGLE.some((name) => headerValues(headers, name).length > 1);
  return isRepeated || children.length > 1 || BROKEN_ESCAPE.test(path);
}

const PLAIN_JSON = /^application\/json *(; *charset="?utf-8"?)?$/i;

/** A form is read as text, a number among it; what is longer than a service must take is odd as well. */
function isOddBody({ headers }: SentRequest, body: Buffer, isJson: boolean): boolean {
  const [type = ''] = headerValues(headers, 'content-type');
  return !isJson || !PLAIN_JSON.test(type) || body.length > LIMITS.requestBodyMegabytes.value * 1_000_000;
}
