/**
 * Load bundle: everything that the workers of a run need, since they share no disk.
 *
 *   scenario, seed, target, files of documents ─► JSON in the store ─► the same plan on every worker
 *   key and permission ─► sent on request, never stored
 */

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Permission } from '../permission.ts';
import type { LoadDocument, LoadScenario } from '../plan/load-scenario.ts';
import type { LoadTarget } from '../shard/shard-messages.ts';

/** As JSON. */
export interface LoadBundle {
  readonly scenario: LoadScenario;
  readonly seed: number | string;
  readonly planHash: string;
  readonly runId: string;
  readonly shards: number;
  readonly calibrates: boolean;
  /** Without its key, and without the name under which it reaches a worker. */
  readonly target: Omit<LoadTarget, 'apiKey' | 'callbackHost'>;
  /** Files of documents: base64 by path. */
  readonly files: Readonly<Record<string, string>>;
}

/** What is never stored. */
export interface LoadSecrets {
  readonly apiKey: string;
  readonly permission: Permission;
}

/** @throws Error when a document cannot be read */
export async function bundleBytes(bundle: Omit<LoadBundle, 'files'>): Promise<Uint8Array> {
  const whole: LoadBundle = { ...bundle, files: await filesOf(bundle.scenario) };
  return Buffer.from(JSON.stringify(whole));
}

export function readBundle(bytes: Uint8Array): LoadBundle {
  return JSON.parse(Buffer.from(bytes).toString('utf8')) as LoadBundle;
}

async function filesOf({ documents }: LoadScenario): Promise<LoadBundle['files']> {
  const paths = documents.flatMap(({ source }) => (source.kind === 'file' ? [source.path] : []));
  return Object.fromEntries(
    await Promise.all(paths.map(async (file) => [file, (await readFile(file)).toString('base64')] as const)),
  );
}

/** The documents of the scenario, with files written to the folder. */
export function localDocuments(
  { scenario, files }: LoadBundle,
  folder: string,
): Promise<readonly LoadDocument[]> {
  return Promise.all(
    scenario.documents.map(async (document, index) => {
      if (document.source.kind !== 'file') return document;
      const file = path.join(folder, String(index));
      await writeFile(file, Buffer.from(files[document.source.path] ?? '', 'base64'));
      return { ...document, source: { ...document.source, path: file } };
    }),
  );
}
