import { globSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import {
  allows,
  climbingImports,
  folderCycles,
  folderOf,
  importCycles,
  layerOf,
  readImports,
  staleArrows,
  undeclaredArrows,
} from './import-graph.ts';
import { ARROWS, DESIGN, FOLDER_ORDER } from './layer-table.ts';

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
      .filter(({ from, to }) => layerOf(from) === 'targets' && layerOf(to) === 'workbench')
      .map(({ from }) => from);
    const allowed = ['targets/embedded.ts', 'targets/process-child.ts'];
    expect(starters.filter((file) => !allowed.includes(file))).toEqual([]);
  });
});

describe('the folders of a layer', () => {
  const folders = new Map<string, Set<string>>();
  for (const file of imports.flatMap(({ from, to }) => [from, to])) {
    const [layer, folder] = [layerOf(file), folderOf(file)];
    if (folder !== undefined) folders.set(layer, (folders.get(layer) ?? new Set()).add(folder));
  }

  it.each([...folders.keys()])('are all in the order of %s', (layer) => {
    expect([...(folders.get(layer) ?? [])].toSorted()).toEqual((FOLDER_ORDER[layer] ?? []).toSorted());
  });

  it.each([...folders.keys()])('import only what stands before them in the order of %s', (layer) => {
    expect(climbingImports(imports, layer, FOLDER_ORDER[layer] ?? [])).toEqual([]);
  });

  it('draw no circle, nor do those inside them', () => {
    expect(folderCycles(imports)).toEqual([]);
  });
});

describe('the unit tests', () => {
  const tests = globSync('**/*.test.ts', { cwd: path.join(source, '../test/unit') });
  const modules = new Set(globSync('**/*.{ts,tsx}', { cwd: source }).map((file) => file.replace(/\.tsx?$/, '')));

  it('stand in the folder of the module whose name they have', () => {
    const elsewhere = tests.flatMap((test) => {
      const mirrored = test.replace('.test.ts', '');
      const namesakes = [...modules].filter(
        (module) => layerOf(module) === layerOf(test) && path.basename(module) === path.basename(mirrored),
      );
      return namesakes.length === 0 || namesakes.includes(mirrored) ? [] : [`${test}: ${namesakes.join(' or ')}`];
    });
    expect(elsewhere).toEqual([]);
  });
});

describe('a planted fault', () => {
  it('is found when an import is in no line of the table', () => {
    const planted = readPlanted('undeclared-arrow');
    expect(undeclaredArrows(planted, { conformance: ['targets'] }, DESIGN)).toEqual([
      'conformance → service (conformance/check.ts imports service/store.ts): the design forbids it: ' +
        "move the code, or change the line 'conformance' of DESIGN and say why",
    ]);
  });

  it('is found when the design allows an import and the table does not have it', () => {
    const planted = readPlanted('undeclared-arrow');
    expect(undeclaredArrows(planted, { conformance: ['service'] }, DESIGN)).toEqual([
      'conformance → targets (conformance/check.ts imports targets/remote.ts): the design allows it: ' +
        "add 'targets' to the line 'conformance' of ARROWS",
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

  it('is found when files import one another in a circle, types, late imports and programs of workers included', () => {
    expect(importCycles(readPlanted('cycle'))).toEqual([
      'common/clock.ts → common/timer.ts → common/queue.ts → common/queue-worker.ts → common/clock.ts',
    ]);
  });

  it('is found when a folder imports one that stands after it in its layer', () => {
    expect(climbingImports(readPlanted('folder-cycle'), 'service', ['store', 'gate'])).toEqual([
      'service: store → gate (service/store/table.ts imports service/gate/paging.ts)',
    ]);
  });

  it('is found when folders of a layer import one another in a circle', () => {
    expect(folderCycles(readPlanted('folder-cycle'))).toEqual([
      'service/gate → service/store → service/gate',
      'service/routes/list.ts → service/routes/accounts → service/routes/list.ts',
    ]);
  });
});

function readPlanted(tree: string): ReturnType<typeof readImports> {
  return readImports(fileURLToPath(new URL(`./planted/layers/${tree}/`, import.meta.url)));
}
