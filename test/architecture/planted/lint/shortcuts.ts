export function firstOf(items: readonly string[]): string {
  return items[0]!;
}

export function anything(value: any): string {
  return value.name;
}

export default firstOf;
