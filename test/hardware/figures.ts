/**
 * Figures of a proof: what was measured, the bar, and whether it is met.
 */

export interface Figure {
  readonly what: string;
  readonly bar: string;
  readonly found: string;
  readonly isMet: boolean;
}

export const MB = 1024 * 1024;

export function say(figure: Figure): Figure {
  const { what, bar, found, isMet } = figure;
  print(`${isMet ? 'ok    ' : 'MISSED'} ${what}: ${found} (bar: ${bar})`);
  return figure;
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The columns and rows of a baseline page. */
export function tableOf(figures: readonly Figure[]): {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
} {
  return {
    columns: ['figure', 'bar', 'found'],
    rows: figures.map(({ what, bar, found }) => [what, bar, found]),
  };
}
