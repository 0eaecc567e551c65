/**
 * Paper files: what came out of the printers on a day, as pictures where it can be drawn, else as text.
 */

import { pictureOf } from './paper-reader.ts';
import type { SeenPaper } from './pipeline-room.ts';

export interface PaperFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export async function paperFiles(papers: readonly SeenPaper[]): Promise<readonly PaperFile[]> {
  const files = papers.map(async (paper, index) => {
    const name = `paper-${index + 1}-${paper.printer}`;
    const text = { name: `${name}.txt`, bytes: Buffer.from(`${readable(paper.text)}\n`) };
    const picture = await pictureOf(paper.printout, 1).catch(() => undefined);
    return picture ? [text, { name: `${name}.png`, bytes: picture }] : [text];
  });
  return (await Promise.all(files)).flat();
}

/** Without the bytes of a printer language. */
function readable(text: string): string {
  return text.replaceAll(/[^\n -~\xa0-\xff]/g, '').trim();
}
