/**
 * Raw PostScript: counts the pages of a program by following what it defines and calls, without running it.
 *
 *   /page { … showpage } def   page page   ─► 2
 *
 * Comments and strings are passed over; loops count as often as their numbers say, and of two branches that with more
 * pages counts. A program that computes names or numbers is beyond this.
 */

import { copiesOf, counted, type RawCounter } from './raw-count.ts';

/** Where it says how many pages it has, that counts: the last one where there are several. */
export const countPostScript: RawCounter = (text) => {
  const copies = copiesOf(/\/(?:#copies|NumCopies)\s{1,9}(\d{1,9})/.exec(text)?.[1]);
  const shown = new Program(text).pages();
  const announced = [...text.matchAll(/^%%Pages:[ \t]{0,9}(\d{1,9})/gm)].at(-1)?.[1];
  if (announced === undefined) return counted('pages', shown * copies, 'pages are counted by showpage');
  const differs = shown !== 0 && shown !== Number(announced);
  const note = 'pages are counted by %%Pages';
  return counted('pages', Number(announced) * copies, differs ? `${note}; its text has showpage ${shown} times` : note);
};

/** What an operand is, as far as pages are concerned. */
type Operand = number | { readonly name: string } | { readonly pages: number } | undefined;

interface Frame {
  pages: number;
  readonly operands: Operand[];
}

const TOKEN = /%[^\r\n]*|[{}()]|<[0-9a-fA-F\s]*>|\/?[^\s()<>[\]{}/%]+/y;
const MOST_OPERANDS = 100;
const MOST_PAGES = 1_000_000;
const DEEPEST = 100;

class Program {
  readonly #text: string;
  /** Pages of each procedure. */
  readonly #procedures = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Twice: a procedure may call one that is defined further down. */
  pages(): number {
    this.#follow();
    return this.#follow();
  }

  #follow(): number {
    const frames: Frame[] = [{ pages: 0, operands: [] }];
    for (let at = 0; at < this.#text.length;) {
      TOKEN.lastIndex = at;
      const token = TOKEN.exec(this.#text)?.[0];
      if (token === undefined) at++;
      else if (token === '(') at = endOfString(this.#text, at);
      else {
        at += token.length;
        this.#meet(token, frames);
      }
    }
    return frames[0]?.pages ?? 0;
  }

  #meet(token: string, frames: Frame[]): void {
    const frame = frames.at(-1);
    if (!frame || token.startsWith('%')) return;
    if (token === '{' && frames.length < DEEPEST) frames.push({ pages: 0, operands: [] });
    else if (token === '}' && frames.length > 1) {
      frames.pop();
      push(frames.at(-1), { pages: frame.pages });
    } else if (/^[-+]?[\d.]+$/.test(token)) push(frame, Number(token));
    else if (token.startsWith('/')) push(frame, { name: token.slice(1) });
    else frame.pages = Math.min(MOST_PAGES, frame.pages + this.#called(token, frame.operands));
  }

  /** How many pages come out by this name. */
  #called(name: string, operands: Operand[]): number {
    const own = this.#procedures.get(name);
    if (own !== undefined) return own;
    if (name === 'showpage' || name === 'copypage') return 1;
    if (name === 'bind' || name === 'readonly' || name === 'executeonly') return 0;
    const last = operands.pop();
    if (name === 'def') return this.#define(operands.pop(), last);
    if (name === 'load') push({ pages: 0, operands }, this.#loaded(last));
    if (name === 'exec' || name === 'if' || name === 'loop' || name === 'forall' || name === 'stopped')
      return pagesOf(last);
    if (name === 'ifelse') return Math.max(pagesOf(last), pagesOf(operands.pop()));
    if (name === 'repeat') return Math.max(0, numberOf(operands.pop())) * pagesOf(last);
    if (name === 'for') return timesOf(operands.splice(-3).map(numberOf)) * pagesOf(last);
    return 0;
  }

  #define(key: Operand, value: Operand): number {
    const isProcedure = typeof value === 'object' && 'pages' in value;
    if (isProcedure && typeof key === 'object' && 'name' in key) this.#procedures.set(key.name, value.pages);
    return 0;
  }

  #loaded(operand: Operand): Operand {
    if (typeof operand !== 'object' || !('name' in operand)) return undefined;
    return { pages: this.#procedures.get(operand.name) ?? (operand.name === 'showpage' ? 1 : 0) };
  }
}

function push(frame: Frame | undefined, operand: Operand): void {
  frame?.operands.push(operand);
  if (frame && frame.operands.length > MOST_OPERANDS) frame.operands.shift();
}

function pagesOf(operand: Operand): number {
  return typeof operand === 'object' && 'pages' in operand ? operand.pages : 0;
}

function numberOf(operand: Operand): number {
  return typeof operand === 'number' && Number.isFinite(operand) ? operand : 0;
}

function timesOf([first = 0, step = 1, last = 0]: readonly number[]): number {
  return step === 0 ? 0 : Math.max(0, Math.floor((last - first) / step) + 1);
}

/** Parentheses in a string stand in pairs, or after a backslash. */
function endOfString(text: string, at: number): number {
  let depth = 0;
  for (let index = at; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '\\') index++;
    else if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return index + 1;
  }
  return text.length;
}
