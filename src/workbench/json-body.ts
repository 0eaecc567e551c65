/**
 * JSON body: what came with a request to the control API, as a value.
 */

import { ExcessiveJson, parseBoundedJson, type JsonLimits } from '../common/bounded-json.ts';
import { messageOf } from '../common/error-message.ts';
import { invalidContent } from '../service/gate/api-error.ts';

/** Undefined for an empty body. @throws ApiError when it is not JSON, or exceeds the limits */
export async function parseBody(bytes: Uint8Array, limits: JsonLimits): Promise<unknown> {
  if (bytes.length === 0) return undefined;
  try {
    return await parseBoundedJson(bytes, limits);
  } catch (error) {
    const problem = error instanceof ExcessiveJson ? 'has' : 'is not JSON:';
    throw invalidContent(`the body ${problem} ${messageOf(error)}`);
  }
}
