/**
 * Load bundle: everything that the workers of a run need, since they share no disk.
 *
 *   scenario, seed, target, files of documents ─► JSON in the store ─► the same plan on every worker
 *   key and permission ─► sent on request, never stored
 */

import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { z } from 'zod';

import { parseAs } from '../../common/json-value.ts';
import { readValueAs } from '../../common/schema-problems.ts';
import type { Permission } from '../permission.ts';
import { planLoad } from '../plan/load-plan.ts';
import { readSame } from '../traffic/documents.ts';
import type { LoadDocument, LoadScenario } from '../plan/load-scenario.ts';

const linkKind = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('websocket') }),
  z.object({ kind: z.literal('module'), file: z.string() }),
  z.object({ kind: z.literal('none') }),
]);

/** What all workers of a run are given, as JSON. */
const bundleSchema = z.object({
  /** The plan, from the same version of platen as the worker's; its hash tells whether it arrived unchanged. */
  scenario: z.custom<LoadScenario>((value) => typeof value === 'object' && value !== null),
  seed: z.union([z.number(), z.string()]),
  planHash: z.string(),
  runId: z.string(),
  shards: z.int().min(1),
  calibrates: z.boolean(),
  /** Without its key, and without the name under which it reaches a worker. */
  target: z.object({
    name: z.string(),
    baseUrl: z.string(),
    link: linkKind,
    usePrinter: z.string().optional(),
    jobMessages: z.string().optional(),
  }),
  /** Files of documents: base64 by path. */
  files: z.record(z.string(), z.string()),
});

export type LoadBundle = z.output<typeof bundleSchema>;

/** What is never stored. */
const secretsSchema = z.object({
  apiKey: z.string(),
  permission: z.object({ allowedHosts: z.array(z.string()), token: z.string().optional() }),
});

export interface LoadSecrets {
  readonly apiKey: string;
  readonly permission: Permission;
}

/** @throws ActionableError when a document cannot be read */
export function bundleBytes(bundle: Omit<LoadBundle, 'files'>): Uint8Array {
  const whole: LoadBundle = { ...bundle, files: filesOf(bundle.scenario) };
  return Buffer.from(JSON.stringify(whole));
}

/** @throws Error when it is not a bundle, or the scenario in it is not the one that was planned */
export function readBundle(bytes: Uint8Array): LoadBundle {
  const bundle = parseAs(bundleSchema, bytes);
  if (!bundle.ok) throw new Error(`its bundle cannot be read: ${bundle.error}`);
  const { scenario, seed, planHash } = bundle.value;
  const { hash } = planLoad(scenario, seed);
  if (hash !== planHash) throw new Error(`its plan of the scenario differs: ${hash}, not ${planHash}`);
  return bundle.value;
}

/** @throws Error when they are not those of a load */
export function readSecrets(given: unknown): LoadSecrets {
  const secrets = readValueAs(secretsSchema, given);
  if (!secrets.ok) throw new Error(`its secrets cannot be read: ${secrets.error}`);
  return secrets.value;
}

function filesOf({ documents }: LoadScenario): LoadBundle['files'] {
  const files = documents.flatMap(({ source }) => (source.kind === 'file' ? [source] : []));
  return Object.fromEntries(files.map((file) => [file.path, readSame(file).toString('base64')]));
}

/** The documents of the scenario, with files written to the folder. */
export function localDocuments({ scenario, files }: LoadBundle, folder: string): Promise<readonly LoadDocument[]> {
  return Promise.all(
    scenario.documents.map(async (document, index) => {
      if (document.source.kind !== 'file') return document;
      const file = path.join(folder, String(index));
      await writeFile(file, Buffer.from(files[document.source.path] ?? '', 'base64'));
      return { ...document, source: { ...document.source, path: file } };
    }),
  );
}
