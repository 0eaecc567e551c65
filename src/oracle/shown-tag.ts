/** Whether Tags of an account object shows a tag: its populated shape is open. */

import { isObject } from '../common/json-value.ts';

/** By its name, wherever that stands; where names lead to texts, with this value. */
export function showsTag(tags: unknown, name: string, value: unknown): boolean {
  const shown = isObject(tags) ? tags[name] : undefined;
  if (typeof shown === 'string') return shown === value;
  return JSON.stringify(tags ?? null).includes(JSON.stringify(name).slice(1, -1));
}
