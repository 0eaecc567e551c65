/**
 * Page layers: which optional content of a document prints, carried over to the sheets. Runs in the press worker.
 *
 * What a document shows or hides for printing alone is settled here: a sheet is printed already.
 * Source: ISO 32000-1, 8.11.4.
 */

import { PDFArray, PDFDict, PDFName, PDFRef, PDFStream, type PDFDocument, type PDFObjectCopier } from 'pdf-lib';

/** Adds the layers of `source` to those of `output`; `copier` is the one that copies the pages, which name them. */
export function addLayers(output: PDFDocument, source: PDFDocument, copier: PDFObjectCopier): void {
  const properties = source.catalog.lookup(name('OCProperties'));
  if (!(properties instanceof PDFDict)) return;
  const groups = refsIn(properties.lookup(name('OCGs')));
  const hidden = hiddenGroups(groups, properties.lookup(name('D')), source);
  for (const group of groups) dictAt(source, group)?.delete(name('Usage'));
  const lists = layerLists(output);
  for (const group of groups) lists.all.push(copier.copy(group));
  for (const group of hidden) lists.off.push(copier.copy(group));
}

/** Moves the layer of each annotation to its appearances, which keep it when the annotation is drawn into its page. */
export function moveLayersToAppearances(document: PDFDocument): void {
  for (const page of document.getPages()) {
    for (const annotation of dictsIn(page.node.lookup(name('Annots')))) moveLayer(annotation);
  }
}

function moveLayer(annotation: PDFDict): void {
  const layer = annotation.get(name('OC'));
  const appearances = annotation.lookup(name('AP'));
  const normal = appearances instanceof PDFDict ? appearances.lookup(name('N')) : undefined;
  if (!layer || !normal) return;
  annotation.delete(name('OC'));
  const states = normal instanceof PDFDict ? normal.keys().map((state) => normal.lookup(state)) : [normal];
  for (const state of states) if (state instanceof PDFStream) state.dict.set(name('OC'), layer);
}

function hiddenGroups(groups: readonly PDFRef[], config: unknown, source: PDFDocument): Set<PDFRef> {
  if (!(config instanceof PDFDict)) return new Set();
  const allOff = config.lookup(name('BaseState')) === name('OFF');
  const hidden = new Set(allOff ? groups : refsIn(config.lookup(name('OFF'))));
  if (allOff) for (const group of refsIn(config.lookup(name('ON')))) hidden.delete(group);
  for (const group of groupsWithPrintUsage(config)) {
    const state = printState(dictAt(source, group));
    if (state === name('ON')) hidden.delete(group);
    if (state === name('OFF')) hidden.add(group);
  }
  return hidden;
}

function groupsWithPrintUsage(config: PDFDict): PDFRef[] {
  return dictsIn(config.lookup(name('AS')))
    .filter((application) => application.lookup(name('Event')) === name('Print'))
    .flatMap((application) => refsIn(application.lookup(name('OCGs'))));
}

function printState(group: PDFDict | undefined): unknown {
  const usage = group?.lookup(name('Usage'));
  const print = usage instanceof PDFDict ? usage.lookup(name('Print')) : undefined;
  return print instanceof PDFDict ? print.lookup(name('PrintState')) : undefined;
}

/** The lists of all layers and of the hidden ones, as they stand in `output`. */
function layerLists(output: PDFDocument): { readonly all: PDFArray; readonly off: PDFArray } {
  const known = output.catalog.lookup(name('OCProperties'));
  const properties = known instanceof PDFDict ? known : output.context.obj({ OCGs: [], D: { OFF: [] } });
  output.catalog.set(name('OCProperties'), properties);
  return {
    all: properties.lookup(name('OCGs'), PDFArray),
    off: properties.lookup(name('D'), PDFDict).lookup(name('OFF'), PDFArray),
  };
}

function refsIn(list: unknown): PDFRef[] {
  return list instanceof PDFArray ? list.asArray().filter((entry) => entry instanceof PDFRef) : [];
}

function dictsIn(list: unknown): PDFDict[] {
  if (!(list instanceof PDFArray)) return [];
  return list
    .asArray()
    .map((_, index) => list.lookup(index))
    .filter((entry) => entry instanceof PDFDict);
}

function dictAt(document: PDFDocument, ref: PDFRef): PDFDict | undefined {
  const object = document.context.lookup(ref);
  return object instanceof PDFDict ? object : undefined;
}

function name(value: string): PDFName {
  return PDFName.of(value);
}
