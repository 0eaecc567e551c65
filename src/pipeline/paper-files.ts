/**
 * Paper files: what came out of the printers on a day, as pictures where it can be drawn, else as text.
 */

import type { SeenPaper } from './pipeline-room.ts';

export interface PaperFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export async function paperFiles(papers: readonly SeenPaper[]): Promise<readonly PaperFile[]> {
  const files = papers.map(async (paper, index) => {
    const name = `paper-${index + 1}-${paper.printer}`;
    const text = { name: `${name}.txt`, bytes: Buffer.from(`${readable(paper.text)}\n`) };
    const picture = await pictureOf(paper).catch(() => undefined);
    return picture ? [text, { name: `${name}.png`, bytes: picture }] : [text];
  });
  return (await Promise.all(files)).flat();
}

/** About the dots of a receipt: fewer blur its bar codes. */
const PIECE_DPI = 203;

/** Its first side alone. */
async function pictureOf({ printout }: SeenPaper): Promise<Uint8Array | undefined> {
  return printout.kind === 'sheets' ? printout.png(1) : printout.drawn?.png(1, { dpi: PIECE_DPI });
}

/** Without the bytes of a printer language. */
function readable(text: string): string {
  return text.replaceAll(/[^\n -~\xa0-\xff]/g, '').trim();
}
