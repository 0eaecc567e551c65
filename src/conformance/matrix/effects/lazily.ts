/** What is made when it is first asked for, and then kept: an endpoint may be tried with others or alone. */
export function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
