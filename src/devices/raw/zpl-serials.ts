/**
 * ZPL serials: a label with serial numbers (^SN) that comes out several times is several labels, each with its number.
 */

import { walkZpl } from './raw-zpl.ts';

/** A document where each copy of a label with serial numbers is a label of its own, `most` of one label. */
export function withSerials(text: string, most: number): string {
  const parts: string[] = [];
  let done = 0;
  for (const { from, to } of formatsOf(text)) {
    const format = text.slice(from, to);
    const copies = Math.min(most, copiesIn(format));
    if (copies < 2 || !/.SN/i.test(format)) continue;
    parts.push(text.slice(done, from));
    for (let copy = 0; copy < copies; copy++) parts.push(numbered(format, copy));
    done = to;
  }
  return [...parts, text.slice(done)].join('');
}

interface Format {
  readonly from: number;
  readonly to: number;
}

/** From ^XA to ^XZ, with both. */
function formatsOf(text: string): readonly Format[] {
  const formats: Format[] = [];
  let from: number | undefined;
  walkZpl(text, ({ command, at, isControl }) => {
    if (isControl) return;
    if (command === 'XA') from ??= at - 3;
    if (command !== 'XZ' || from === undefined) return;
    formats.push({ from, to: at });
    from = undefined;
  });
  return formats;
}

/** ^PQ: how many, pause, and how many have the same number. */
const QUANTITY = /(.PQ)(\d{1,8})(?:,\d*)?(?:,(\d{1,8}))?[^^~]*/i;

function copiesIn(format: string): number {
  return Number(QUANTITY.exec(format)?.[2] ?? 1);
}

function numbered(format: string, copy: number): string {
  const [, , , same] = QUANTITY.exec(format) ?? [];
  const step = Math.floor(copy / Math.max(1, Number(same) || 1));
  return format
    .replace(QUANTITY, '$11')
    .replaceAll(
      /(.)SN([^,^~]*)(?:,([-+]?\d{1,9}))?[^^~]*/gi,
      (_, prefix: string, value: string, by = '1') => `${prefix}FD${serialAfter(value, Number(by) * step)}`,
    );
}

/** The last digits of a value count on, with as many digits as they had. */
function serialAfter(value: string, by: number): string {
  return value.replace(/(\d{1,15})(?=\D*$)/, (digits: string) =>
    String(Math.max(0, Number(digits) + by)).padStart(digits.length, '0'),
  );
}
