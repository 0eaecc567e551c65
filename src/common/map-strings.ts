/**
 * Changes every string in a value, however deep it stands; names of properties stay.
 */

export function mapStrings<Value>(value: Value, change: (text: string) => string): Value {
  return mapped(value, change) as Value;
}

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapped(item, change)]));
}
