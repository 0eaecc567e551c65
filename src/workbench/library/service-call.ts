/**
 * Service call: a request to the service of a workbench, as an app makes it.
 */

import { usageError } from '../../common/actionable-error.ts';
import { basicAuthorization } from '../../common/basic-authorization.ts';
import { MEDIA_TYPES } from '../../specification/headers.ts';
import type { PlatenIdentity } from './platen-identity.ts';

/** @throws ActionableError when the service refuses, with this next step */
export async function askService(
  { url, apiKey }: Pick<PlatenIdentity, 'url' | 'apiKey'>,
  method: string,
  path: string,
  nextStep: string,
  body?: unknown,
): Promise<unknown> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: basicAuthorization(apiKey), 'content-type': MEDIA_TYPES.json.value },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer;
  const reason = `the service answered ${method} ${path} with ${response.status}: ${JSON.stringify(answer)}`;
  throw usageError(reason, nextStep);
}
