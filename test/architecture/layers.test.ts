import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { allows, importCycles, layerOf, readImports, staleArrows, undeclaredArrows } from './import-graph.ts';
import { ARROWS, DESIGN } from './layer-table.ts';

const source = fileURLToPath(new URL('../../src/', import.meta.url));
const imports = readImports(source);

describe('the layers of src', () => {
  it('are all in the design', () => {
    const layers = readdirSync(source).map(layerOf);
    expect(layers.filter((layer) => !(layer in DESIGN))).toEqual([]);
  });

  it('draw no arrow that is not in the table', () => {
    expect(undeclaredArrows(imports, ARROWS, DESIGN)).toEqual([]);
  });

  it('draw every arrow of the table', () => {
    expect(staleArrows(imports, ARROWS)).toEqual([]);
  });

  it('have a table within the design', () => {
    const tooMuch = Object.entries(ARROWS).flatMap(([layer, targets]) =>
      targets
        .filter((target) => !allows(DESIGN[layer], target.replace('types:', ''), target.startsWith('types:')))
        .map((target) => `${layer} → ${target}`),
    );
    expect(tooMuch).toEqual([]);
  });

  it('import one another without a cycle', () => {
    expect(importCycles(imports)).toEqual([]);
  });

  it('start a workbench for a target, in this process or in one of its own, and nowhere else', () => {
    const starters = imports
      .filter(({ from, to }) => layerOf(from) === 'target' && layerOf(to) === 'workbench')
      .map(({ from }) => from);
    const allowed = ['target/embedded.ts', 'target/process-child.ts'];
    expect(starters.filter((file) => !allowed.includes(file))).toEqual([]);
  });
});

describe('a planted fault', () => {
  it('is found when an import is in no line of the table', () => {
    const planted = readPlanted('undeclared-arrow');
    expect(undeclaredArrows(planted, { conformance: ['target'] }, DESIGN)).toEqual([
      'conformance → service (conformance/check.ts imports service/store.ts): the design forbids it: ' +
        "move the code, or change the line 'conformance' of DESIGN and say why",
    ]);
  });

  it('is found when the design allows an import and the table does not have it', () => {
    const planted = readPlanted('undeclared-arrow');
    expect(undeclaredArrows(planted, { conformance: ['service'] }, DESIGN)).toEqual([
      'conformance → target (conformance/check.ts imports target/remote.ts): the design allows it: ' +
        "add 'target' to the line 'conformance' of ARROWS",
    ]);
  });

  it('is found when an arrow for types carries a value', () => {
    const planted = readPlanted('value-over-types');
    expect(undeclaredArrows(planted, { report: ['types:conformance'] }, DESIGN)).toEqual([
      expect.stringContaining('report → conformance (report/junit.ts imports conformance/verdict.ts)'),
    ]);
  });

  it('is found when nothing draws an arrow of the table', () => {
    const planted = readPlanted('stale-arrow');
    expect(staleArrows(planted, { devices: ['link', 'wire'] })).toEqual([
      "devices → wire: nothing draws it, take it out of the line 'devices' of ARROWS",
    ]);
  });

  it('is found when files import one another in a circle, types and late imports included', () => {
    expect(importCycles(readPlanted('cycle'))).toEqual([
      'common/clock.ts → common/timer.ts → common/queue.ts → common/clock.ts',
    ]);
  });
});

function readPlanted(tree: string): ReturnType<typeof readImports> {
  return readImports(fileURLToPath(new URL(`./planted/layers/${tree}/`, import.meta.url)));
}
