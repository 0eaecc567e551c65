/** The id of a client download, which the specification does not show. */

import type { JsonObject } from '../../common/json-value.ts';
import { valueAt } from '../../common/places.ts';
import { isUntestable } from '../context/check-ended.ts';
import type { Answer } from '../expect/answer.ts';

/** Undefined where it could not be found out: a rule is judged at the other endpoints all the same. */
export function downloadId(answer: Answer, record: JsonObject): unknown {
  try {
    return valueAt(record, answer.idName);
  } catch (error) {
    if (isUntestable(error)) return undefined;
    throw error;
  }
}
