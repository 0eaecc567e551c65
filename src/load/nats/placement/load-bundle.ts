/**
 * Load bundle: what the workers of a run are given, which is all they need: other machines have other disks.
 *
 *   scenario, seed, target, files of documents ─► JSON in the store ─► the same plan on every worker
 *   key and permission ─► told on request, stored nowhere
 */

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Permission } from '../../permission.ts';
import type { LoadDocument, LoadScenario } from '../../plan/load-scenario.ts';
import type { LoadTarget } from '../../shard/shard-messages.ts';

/** What all workers of a run are given; as JSON. */
export interface LoadBundle {
  readonly scenario: LoadScenario;
  readonly seed: number | string;
  readonly planHash: string;
  readonly runId: string;
  readonly shards: number;
  readonly calibrates: boolean;
  /** Without its key, and without the name of the machine that it calls back. */
  readonly target: Omit<LoadTarget, 'apiKey' | 'callbackHost'>;
  /** Documents that are files, in base64 by their path. */
  readonly files: Readonly<Record<string, string>>;
}

/** What is told and not stored. */
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

/** The documents of the scenario, those that are files lying in the folder now. */
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
