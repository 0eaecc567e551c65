/**
 * Pictures of views, compared with those that were kept: a third of their size, so that what counts is where things are
 * and which colour they have, and not how a letter is smoothed.
 *
 *   page ── screenshot ──► a third, as WebP ──► compared pixel by pixel with test/browser/pictures
 *                                                 more than a few that differ: a picture of where, in reports/pictures
 *
 * What differs from run to run is made the same first: ports, ids of requests, measured times. The fonts are Debian's
 * fonts-dejavu-core. Another version of Chromium draws in another way: with it nothing is compared.
 * `npm run pictures` keeps the pictures of today.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Page } from 'playwright-core';

const KEPT = fileURLToPath(new URL('../pictures/', import.meta.url));
const DIFFERENCES = fileURLToPath(new URL('../../../reports/pictures/', import.meta.url));
/** The version of Chromium that drew them. */
const DRAWN_BY = path.join(KEPT, 'chromium.txt');
const RENEW = process.env['PLATEN_PICTURES'] === 'renew';

/** The largest share of a picture that may differ: a missing button or a moved line of text is more. */
const MOST_DIFFERENT = 0.001;

/** Makes a view look the same each time. To be called once for a page, before it is opened. */
export async function makeConstant(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const fonts = new CSSStyleSheet();
    fonts.replaceSync(`:root {
      --serif: 'DejaVu Serif' !important;
      --sans: 'DejaVu Sans' !important;
      --mono: 'DejaVu Sans Mono' !important;
    }`);
    addEventListener('DOMContentLoaded', () => document.adoptedStyleSheets.push(fonts));
  });
}

/** @returns what is wrong, or undefined when the view looks as it did */
export async function comparePicture(name: string, page: Page, comparer: Page): Promise<string | undefined> {
  await settle(page);
  const version = page.context().browser()?.version() ?? '';
  if (RENEW) writeFileSync(DRAWN_BY, `${version}\n`);
  else if (readFileSync(DRAWN_BY, 'utf8').trim() !== version) return undefined;
  const kept = path.join(KEPT, `${name}.webp`);
  const hasKept = existsSync(kept) && !RENEW;
  const { small, share, difference } = await comparer.evaluate(compare, {
    taken: (await page.screenshot()).toString('base64'),
    kept: hasKept ? readFileSync(kept, 'base64') : undefined,
  });
  if (RENEW) return keep(kept, small);
  if (share <= MOST_DIFFERENT) return undefined;
  const shown = path.join(DIFFERENCES, `${name}.webp`);
  keep(shown, difference);
  const what = hasKept ? `${(share * 100).toFixed(2)} % of ${name} looks different` : `there is no picture of ${name}`;
  return `${what}: look at ${path.relative(process.cwd(), shown)}; npm run pictures keeps what is right`;
}

function keep(file: string, base64: string): undefined {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, Buffer.from(base64, 'base64'));
}

const MOST_LOOKS = 40;

/** Pictures of sheets come a moment after their rows. */
async function settle(page: Page): Promise<void> {
  for (let look = 0; look < MOST_LOOKS; look++) {
    await page.waitForTimeout(150);
    if (await page.evaluate(() => [...document.images].every((image) => image.complete))) break;
  }
  await page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      const text = node.nodeValue ?? '';
      const same = text
        .replaceAll(/\b[0-9a-f]{8}-[0-9a-z]{6,}-\d+\b/g, 'request-1')
        .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:8640')
        .replaceAll(/\b\d+(?:\.\d+)?(?:ms|µs)(?!\w)/g, '1ms');
      if (same !== text) node.nodeValue = same;
    }
  });
}

interface Pictures {
  readonly taken: string;
  readonly kept: string | undefined;
}

interface Compared {
  readonly small: string;
  /** The share of pixels that differ; 1 if the sizes do. */
  readonly share: number;
  /** The picture, with what differs in red. */
  readonly difference: string;
}

/** In the browser, which reads and writes pictures. */
async function compare({ taken, kept }: Pictures): Promise<Compared> {
  const SCALE = 1 / 3;
  /** The least visible difference of a colour channel, out of 255. */
  const VISIBLE = 48;
  /* oxlint-disable unicorn/consistent-function-scoping -- the browser gets this function and nothing from around it */
  const load = async (type: string, base64: string): Promise<HTMLImageElement> => {
    const image = new Image();
    image.src = `data:image/${type};base64,${base64}`;
    await image.decode();
    return image;
  };
  const draw = (image: HTMLImageElement, scale: number): CanvasRenderingContext2D => {
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(image.width * scale);
    canvas.height = Math.round(image.height * scale);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('this browser draws nothing');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return context;
  };
  const webpOf = ({ canvas }: CanvasRenderingContext2D): string =>
    canvas.toDataURL('image/webp', 0.75).replace(/^.*,/, '');
  /* oxlint-enable unicorn/consistent-function-scoping */
  const small = webpOf(draw(await load('png', taken), SCALE));
  // Both have been through the same losses.
  const today = draw(await load('webp', small), 1);
  if (kept === undefined) return { small, share: 1, difference: small };
  const before = draw(await load('webp', kept), 1);
  const { width, height } = today.canvas;
  if (before.canvas.width !== width || before.canvas.height !== height) return { small, share: 1, difference: small };
  const is = today.getImageData(0, 0, width, height);
  const was = before.getImageData(0, 0, width, height).data;
  let different = 0;
  for (let at = 0; at < is.data.length; at += 4) {
    const apart = [0, 1, 2].some((color) => Math.abs((is.data[at + color] ?? 0) - (was[at + color] ?? 0)) > VISIBLE);
    if (!apart) continue;
    different++;
    is.data.set([255, 0, 0, 255], at);
  }
  today.putImageData(is, 0, 0);
  return { small, share: different / (width * height), difference: webpOf(today) };
}
