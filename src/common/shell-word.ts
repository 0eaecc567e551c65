/** Text as one word of a POSIX shell, in single quotes. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
