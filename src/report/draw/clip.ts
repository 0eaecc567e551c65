/**
 * Clip: the beginning of a text; one that was cut before says how long it was then.
 */

export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const [cutBefore] = /… \(\d+ characters\)$/.exec(text.slice(-MARK_MOST)) ?? [
    `… (${text.length} characters)`,
  ];
  return text.slice(0, most) + cutBefore;
}

const MARK_MOST = 40;
