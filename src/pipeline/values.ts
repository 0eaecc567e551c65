/**
 * Values: what the names in braces of a pipeline file stand for. `{port.NAME}` is a free port, the same wherever the
 * name is the same.
 */

import { mapStrings } from '../common/map-strings.ts';

/** What names stand for where a job is submitted. */
export const JOB_VALUES = ['document', 'file', 'title', 'mark', 'printer', 'address', 'key'] as const;
/** The same where its state is read. */
export const STATE_VALUES = ['id', 'key', 'printer', 'title'] as const;

export type Values = Readonly<Record<string, string>>;

const NAME_IN_BRACES = /\{([A-Za-z][\w-]*(?:\.[A-Za-z][\w-]*){0,2})\}/g;

/** The names in braces anywhere in a value. */
export function namesIn(value: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  mapStrings(value, (text) => {
    for (const [, name = ''] of text.matchAll(NAME_IN_BRACES)) names.add(name);
    return text;
  });
  return names;
}

/** A value with what the names stand for; other braces stay as they are. */
export function filled<Value>(value: Value, values: Values): Value {
  return mapStrings(value, (text) =>
    text.replaceAll(NAME_IN_BRACES, (written, name: string) => values[name] ?? written),
  );
}

/** An address with its host and port, by the names that stand for them. */
export function addressValues(name: string, address: string): Values {
  const { hostname, port } = new URL(address);
  return { [name]: address, [`${name}.host`]: hostname, [`${name}.port`]: port };
}
