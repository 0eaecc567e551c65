/**
 * PPD files: the options of a printer driver on macOS, on Linux and of PostScript drivers on Windows, as the profile
 * of a printer (PostScript Printer Description 4.3).
 *
 *   *PaperDimension A4/A4: "595 842"   ─► papers, in points of 1/72 inch
 *   *InputSlot Tray1/Tray 1: "…"       ─► bins          *DefaultInputSlot: Tray1 ─► defaults
 */

import { usageError } from '../../common/actionable-error.ts';
import type { PrinterClone } from './printer-clone.ts';

const TENTHS_OF_MM_A_POINT = 254 / 72;

/** A choice of an option: `*InputSlot Tray1/Tray 1: "…"`. */
interface Choice {
  readonly keyword: string;
  /** What people read; the keyword where the file has no translation. */
  readonly title: string;
  readonly value: string;
}

/** @param source - where the text comes from, for people. @throws ActionableError when it is not a PPD file */
export function cloneOfPpd(text: string, source: string): PrinterClone {
  if (!text.startsWith('*PPD-Adobe:')) {
    throw usageError(
      `${source} is not a PPD file: it does not begin with *PPD-Adobe:`,
      'Name a file that ends in .ppd.',
    );
  }
  const ppd = new Ppd(text);
  const description = ppd.value('NickName') ?? ppd.value('ModelName') ?? 'Printer';
  const papers = papersOf(ppd);
  const duplex = ppd.choices('Duplex');
  const dpi = dotsIn(ppd.default('Resolution') ?? '');
  const color = ppd.value('ColorDevice') === 'True';
  return {
    kind: 'unknown',
    name: ppd.value('ModelName') ?? description,
    description,
    why: `Cloned from ${source}: the options of its driver`,
    os: 'cups',
    defaults: {
      ...ppd.titled('paper', 'PageSize'),
      ...ppd.titled('bin', 'InputSlot'),
      ...ppd.titled('media', 'MediaType'),
      ...(dpi !== undefined && { dpi }),
      duplex: SIDES[ppd.default('Duplex') ?? ''] ?? 'one-sided',
      color,
    },
    capabilities: {
      bins: ppd.choices('InputSlot').map(({ title }) => title),
      collate: ppd.choices('Collate').some(({ keyword }) => keyword === 'True'),
      color,
      dpis: [...new Set(ppd.choices('Resolution').flatMap(({ keyword }) => dotsIn(keyword) ?? []))],
      duplex: duplex.some(({ keyword }) => keyword in SIDES),
      medias: ppd.choices('MediaType').map(({ title }) => title),
      papers,
      supports_custom_paper_size: ppd.choices('CustomPageSize').length > 0,
    },
  };
}

const SIDES: Readonly<Record<string, 'long-edge' | 'short-edge'>> = {
  DuplexNoTumble: 'long-edge',
  DuplexTumble: 'short-edge',
};

/** `600dpi` and `600x300dpi` as `600x600` and `600x300`. */
function dotsIn(resolution: string): string | undefined {
  const [, x, y = x] = /^(\d+)(?:x(\d+))?dpi$/.exec(resolution) ?? [];
  return x === undefined ? undefined : `${x}x${y}`;
}

function papersOf(ppd: Ppd): Record<string, [number, number]> {
  const titles = new Map(ppd.choices('PageSize').map(({ keyword, title }) => [keyword, title]));
  return Object.fromEntries(
    ppd.choices('PaperDimension').flatMap(({ keyword, title, value }): [string, [number, number]][] => {
      const [width, height] = value
        .trim()
        .split(/\s+/)
        .map((points) => Math.round(Number(points) * TENTHS_OF_MM_A_POINT));
      if (!width || !height) return [];
      return [[titles.get(keyword) ?? title, [width, height]]];
    }),
  );
}

/** The statements of a file: `*Keyword Option/Title: "value"`. */
class Ppd {
  readonly #statements: readonly (Choice & { readonly option: string })[];

  constructor(text: string) {
    const statement = /^\*([A-Za-z]\w*)(?:[ \t]+([^\s:/]+)(?:\/([^:\r\n]*))?)?:[ \t]*(?:"([^"]*)"|([^\r\n]*))/gm;
    this.#statements = [...text.matchAll(statement)].map(
      ([, option = '', keyword = '', title, quoted, plain = '']) => ({
        option,
        keyword,
        title: title?.trim() || keyword,
        value: quoted ?? plain.trim(),
      }),
    );
  }

  /** The value of a statement without choices. */
  value(option: string): string | undefined {
    return this.#statements.find((one) => one.option === option && one.keyword === '')?.value;
  }

  choices(option: string): readonly Choice[] {
    return this.#statements.filter((one) => one.option === option && one.keyword !== '');
  }

  /** The keyword of the choice that applies unless a job says another. */
  default(option: string): string | undefined {
    return this.value(`Default${option}`);
  }

  /** The default by its title, under the name that the profile has for the option. */
  titled<Name extends string>(name: Name, option: string): Partial<Record<Name, string>> {
    const standard = this.default(option);
    const choice = this.choices(option).find(({ keyword }) => keyword === standard);
    return choice ? ({ [name]: choice.title } as Record<Name, string>) : {};
  }
}
