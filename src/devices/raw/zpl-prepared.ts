/**
 * ZPL prepared: what the renderer does not know is done before it, so that a label is drawn as it comes out.
 *
 *   ^MU inches, mm ─► dots        ^LT ^LS ─► into each position      ^TB ─► ^FB      ^GE ─► graphics
 *   ^IM ^IL ─► ^XG                ^FPV ─► a field for each letter    ^SN ─► ^FD      ^DF ^XF ^XG ─► with a memory
 *   ^xa ─► ^XA
 *
 * Mirrored labels (^PM) are turned over when they are drawn.
 */

import { walkZpl, type ZplCommand } from './raw-zpl.ts';

/** Which parameters of a command are lengths, counted in the unit of ^MU. */
const LENGTHS = lengthsOf({
  0: 'BY FB FO FT GB GC GD GE LH LL LS LT PW',
  1: 'B2 B7 B8 B9 BA BC BE BU BX CF FO FT GB GC GD GE LH TB',
  2: 'B1 B3 BK BY CF FB GB GD GE TB',
  4: 'FB',
});
const FONT_LENGTHS = [1, 2];
const MM_PER_INCH = 25.4;
const USUAL_FONT_HEIGHT = 9;
/** No label is larger at 600 dpi. */
const LARGEST_ELLIPSE = 4_000;

/** @param dotsPerMm - how fine the printer is */
export function zplPrepared(text: string, dotsPerMm: number): string {
  const preparing = new Preparing(dotsPerMm);
  const parts: string[] = [];
  let done = 0;
  walkZpl(text, (command) => {
    const end = nextCommand(text, command);
    const parameters = text.slice(command.at, end);
    const replacement =
      (command.isControl ? undefined : preparing.meet(command, parameters)) ?? inCapitals(command, text, parameters);
    if (replacement === undefined) return;
    parts.push(text.slice(done, command.at - 3), replacement);
    done = end;
  });
  return [...parts, text.slice(done)].join('');
}

/** Undefined where it is so already. */
function inCapitals({ command, prefix, at }: ZplCommand, text: string, parameters: string): string | undefined {
  return text.startsWith(command, at - 2) ? undefined : `${prefix}${command}${parameters}`;
}

/** Where the parameters of a command end. */
function nextCommand(text: string, { prefix, end }: ZplCommand): number {
  const rest = /[\^~]/g;
  rest.lastIndex = end;
  const other = rest.exec(text)?.index ?? text.length;
  const same = text.indexOf(prefix, end);
  return Math.min(other, same < 0 ? text.length : same);
}

class Preparing {
  readonly #dotsPerMm: number;
  /** Dots in a unit of ^MU. */
  #unit = 1;
  #top = 0;
  #left = 0;
  #fontHeight = USUAL_FONT_HEIGHT;
  /** Where the field stands, and what came since. */
  #field: { readonly origin: string; readonly x: number; readonly y: number; more: string } | undefined;
  #direction: { readonly letter: string; readonly gap: number } | undefined;

  constructor(dotsPerMm: number) {
    this.#dotsPerMm = dotsPerMm;
  }

  /** What stands in place of a command; undefined where it stays. */
  meet({ command, prefix }: ZplCommand, parameters: string): string | undefined {
    const values = this.#inDots(command, parameters.split(','));
    const numbers = values.map((value) => Math.round(Number(value)) || 0);
    const written = this.#written(command, prefix, parameters, values, numbers);
    if (this.#field && command !== 'FO' && command !== 'FT') {
      this.#field.more += written ?? `${prefix}${command}${parameters}`;
    }
    return written;
  }

  #inDots(command: string, values: readonly string[]): readonly string[] {
    const lengths = command.startsWith('A') ? FONT_LENGTHS : (LENGTHS.get(command) ?? []);
    if (command === 'CF' || command.startsWith('A')) this.#fontHeight = this.#dots(values[1]) || this.#fontHeight;
    if (this.#unit === 1) return values;
    return values.map((value, index) =>
      lengths.includes(index) && value.trim() !== '' ? String(this.#dots(value)) : value,
    );
  }

  #dots(value = ''): number {
    return Math.floor((Number(value) || 0) * this.#unit);
  }

  #written(
    command: string,
    prefix: string,
    parameters: string,
    values: readonly string[],
    [first = 0, second = 0, third = 0]: readonly number[],
  ): string | undefined {
    switch (command) {
      case 'MU':
        this.#unit = this.#unitOf(parameters);
        return '';
      case 'LT':
        this.#top = first;
        return '';
      case 'LS':
        this.#left = first;
        return '';
      case 'PM':
        return '';
      case 'FP':
        this.#direction = { letter: parameters.charAt(0).toUpperCase(), gap: second };
        return '';
      case 'FO':
      case 'FT':
        return this.#begin(prefix, command, values, first, second);
      case 'FS':
        [this.#field, this.#direction] = [undefined, undefined];
        return undefined;
      case 'FD':
      case 'FV':
        return this.#direct(prefix, parameters);
      case 'SN':
        return `${prefix}FD${values[0] ?? ''}`;
      case 'TB':
        return `${prefix}FB${second},${Math.max(1, Math.floor(third / this.#fontHeight))},0,L,0`;
      case 'GE':
        return ellipse(prefix, first || third || 3, second || third || 3, third || 1);
      case 'IM':
        return `${prefix}XG${inMemory(parameters)},1,1`;
      case 'IL':
        return `${prefix}FO0,0${prefix}XG${inMemory(parameters)},1,1${prefix}FS`;
      case 'XG':
      case 'DF':
      case 'XF':
        return `${prefix}${command}${inMemory(parameters)}`;
      default:
        return this.#unit === 1 ? undefined : `${prefix}${command}${values.join(',')}`;
    }
  }

  #unitOf(parameters: string): number {
    const unit = parameters.trim().charAt(0).toUpperCase();
    if (unit === 'I') return this.#dotsPerMm * MM_PER_INCH;
    return unit === 'M' ? this.#dotsPerMm : 1;
  }

  #begin(prefix: string, origin: string, values: readonly string[], left: number, top: number): string {
    const [x, y] = [left - this.#left, top + this.#top];
    this.#field = { origin, x, y, more: '' };
    return [`${prefix}${origin}${x}`, y, ...values.slice(2)].join(',');
  }

  /** Letters from the right to the left, or one below the other. */
  #direct(prefix: string, data: string): string | undefined {
    const field = this.#field;
    const letters = Array.from(data.replace(/[\r\n]+$/, ''));
    if (this.#direction?.letter === 'R') return `${prefix}FD${letters.toReversed().join('')}`;
    if (this.#direction?.letter !== 'V' || !field) return undefined;
    const step = this.#fontHeight + this.#direction.gap;
    const { origin, x, y, more } = field;
    const below = letters.map(
      (letter, index) => `${prefix}${origin}${x},${y + index * step}${more}${prefix}FD${letter}`,
    );
    return `${prefix}FS${below.join(`${prefix}FS`)}`;
  }
}

/** Files lie in the memory R, unless their name says another. */
function inMemory(name: string): string {
  return name.includes(':') ? name : `R:${name.trimStart()}`;
}

/** A ring of dots within a box. */
function ellipse(prefix: string, width: number, height: number, thickness: number): string {
  const [across, down] = [Math.min(width, LARGEST_ELLIPSE), Math.min(height, LARGEST_ELLIPSE)];
  const lineBytes = Math.ceil(across / 8);
  const bits = Buffer.alloc(lineBytes * down);
  for (let y = 0; y < down; y++) {
    for (let x = 0; x < across; x++) {
      const [dx, dy] = [x + 0.5 - across / 2, y + 0.5 - down / 2];
      const isInk = isIn(dx, dy, across / 2, down / 2) && !isIn(dx, dy, across / 2 - thickness, down / 2 - thickness);
      if (isInk) bits[y * lineBytes + (x >> 3)] = (bits[y * lineBytes + (x >> 3)] ?? 0) | (0x80 >> (x & 7));
    }
  }
  return `${prefix}GFA,${bits.length},${bits.length},${lineBytes},${bits.toString('hex').toUpperCase()}`;
}

function isIn(x: number, y: number, a: number, b: number): boolean {
  return a > 0 && b > 0 && (x / a) ** 2 + (y / b) ** 2 <= 1;
}

/** By their place: the commands that have a length there. */
function lengthsOf(places: Readonly<Record<number, string>>): ReadonlyMap<string, readonly number[]> {
  const lengths = new Map<string, number[]>();
  for (const [place, commands] of Object.entries(places)) {
    for (const command of commands.split(' ')) lengths.set(command, [...(lengths.get(command) ?? []), Number(place)]);
  }
  return lengths;
}
