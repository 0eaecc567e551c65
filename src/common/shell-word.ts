/** Text as one word of a POSIX shell, in single quotes. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The same, quoted only where it has to be. */
export function shellArgument(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : shellWord(text);
}
