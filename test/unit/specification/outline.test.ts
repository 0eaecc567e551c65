/**
 * Where clauses and gaps stand in the specification. With SPECIFICATION=FILE each place is looked up in the document.
 */

import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { CLAUSES } from '../../../src/specification/clauses.ts';
import { GAPS } from '../../../src/specification/gaps.ts';
import { PLACES } from '../../../src/specification/outline.ts';

const DOCUMENT = process.env['SPECIFICATION'];

describe('the outline of the specification', () => {
  it('has each clause and each gap at one place, and nothing else', () => {
    const placed = PLACES.flatMap(({ ids }) => ids);
    expect(placed.toSorted()).toEqual([...CLAUSES, ...GAPS].map(({ id }) => id).toSorted());
  });

  it.runIf(DOCUMENT !== undefined)('has no place that the document has not', () => {
    const there = placesIn(readFileSync(DOCUMENT ?? '', 'utf8'));
    const lost = PLACES.filter(({ heading, place }) => !there.has(`${heading} › ${place}`));
    expect(lost.map(({ heading, place }) => `${heading} › ${place}`)).toEqual([]);
  });
});

/** Every place of a document in Markdown, as the outline would name it. */
function placesIn(document: string): ReadonlySet<string> {
  const places = new Set<string>();
  let heading = '';
  let counts = { bullet: 0, paragraph: 0 };
  for (const line of document.split('\n')) {
    const add = (place: string): unknown => places.add(`${heading} › ${place}`);
    const [, head] = /^#+ (.+)$/.exec(line) ?? [];
    const [, rule] = /^(\d+)\. /.exec(line) ?? [];
    if (head !== undefined) {
      heading = head;
      counts = { bullet: 0, paragraph: 0 };
    } else if (line.startsWith('|')) for (const name of ['table', ...rowNames(line)]) add(name);
    else if (rule !== undefined) add(`rule ${rule}`);
    else if (line.startsWith('- ')) add(`bullet ${++counts.bullet}`);
    else if (line.trim() !== '') add(`paragraph ${++counts.paragraph}`);
  }
  return places;
}

/** A row is named by its first cell, or by its first two: of several paths or of a note, the first part will do. */
function rowNames(line: string): string[] {
  const cells = line.slice(1).split('|');
  const [first = '', second = ''] = cells.map((cell) => cell.replaceAll('`', '').trim());
  const [path = ''] = second.split(', ');
  const [noted = ''] = first.split(': ');
  return [first, noted, `${first} ${second}`, `${first} ${path}`];
}
