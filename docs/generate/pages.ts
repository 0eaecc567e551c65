/**
 * Every file that is written from the code.
 *
 *   npm run docs              writes them
 *   npm run docs -- --check   writes nothing, names those that differ from the code, and exits 1 if there are any
 */

import { readFileSync, writeFileSync } from 'node:fs';

import { runJsonSchema } from '../../src/record/run-record.ts';
import { scenarioJsonSchema } from '../../src/scenario/format/read-scenario.ts';
import { choicesPage } from './choices.ts';
import { clausesPage } from './clauses.ts';
import { commandsPage } from './commands.ts';
import { controlApiPage } from './control-api.ts';
import { matrixPage } from './matrix.ts';
import { openApiDocument } from './printing-api/document.ts';
import { openApiPage } from './printing-api/page.ts';
import { pipelinesPage } from './pipelines.ts';
import { runRecordPage } from './run-record.ts';
import { scenarioFormatPage } from './scenario-format.ts';
import { shippedNames } from './shipped-names.ts';
import { targetPage } from './target.ts';
import { contributingPage } from './tiers.ts';
import { tolerancesPage } from './tolerances.ts';

const PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
  'CONTRIBUTING.md': contributingPage,
  'docs/choices.md': choicesPage,
  'docs/clauses.md': clausesPage,
  'docs/commands.md': commandsPage,
  'docs/control-api.md': controlApiPage,
  'docs/matrix.md': matrixPage,
  'docs/openapi.html': async () => openApiPage(await printingApi()),
  'docs/openapi.json': printingApi,
  'docs/pipelines.md': pipelinesPage,
  'docs/run-record.md': runRecordPage,
  'docs/run.schema.json': () => jsonFile(runJsonSchema()),
  'docs/scenario-format.md': scenarioFormatPage,
  'docs/target.md': targetPage,
  'docs/tolerances.md': tolerancesPage,
  'src/devices/shipped-names.ts': shippedNames,
  'scenarios/scenario.schema.json': () => jsonFile(scenarioJsonSchema()),
};

/** Two files are made of it, and making it takes a whole service. */
let printingApiText: Promise<string> | undefined;

function printingApi(): Promise<string> {
  printingApiText ??= openApiDocument().then(jsonFile);
  return printingApiText;
}

/** The files that are not what the code says. */
export async function outdatedPages(): Promise<readonly string[]> {
  const pages = await writtenPages();
  return pages.filter(({ file, text }) => readFileSync(placeOf(file), 'utf8') !== text).map(({ file }) => file);
}

function writtenPages(): Promise<readonly { readonly file: string; readonly text: string }[]> {
  return Promise.all(Object.entries(PAGES).map(async ([file, page]) => ({ file, text: await page() })));
}

function jsonFile(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function placeOf(file: string): URL {
  return new URL(`../../${file}`, import.meta.url);
}

if (import.meta.main) {
  if (process.argv.includes('--check')) {
    const outdated = await outdatedPages();
    for (const file of outdated) process.stderr.write(`${file} is not what the code says. Run: npm run docs\n`);
    process.exitCode = outdated.length === 0 ? 0 : 1;
  } else {
    for (const { file, text } of await writtenPages()) writeFileSync(placeOf(file), text);
  }
}
