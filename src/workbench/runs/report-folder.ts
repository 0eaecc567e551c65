/**
 * Reports folder: the records of runs that have ended, a folder each. They are files of this machine's user. Only
 * the fields that the line of a record needs are read, and again when the file has changed.
 */

import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import type { RunSummaryView } from '../../record/control-types.ts';
import { nameOf, summaryOf } from './run-summary.ts';

/** A record on disk, or one that is held. */
export interface StoredRecord {
  /** Changes with the record. */
  readonly version: string;
  readonly read: () => Promise<Uint8Array>;
}

/** A longer one is for other tools. */
const LONGEST_RECORD_BYTES = 256 * 1024 * 1024;
/** Names of folders that a run makes or could have made. */
const FOLDER_NAME = /^[\w][\w.-]{0,120}$/;

interface FoundRecord {
  readonly file: string;
  readonly changedMs: number;
}

interface ReadSummary {
  readonly changedMs: number;
  /** Its id is the name of the folder. */
  readonly view: RunSummaryView;
  /** What the record calls itself. */
  readonly name: string;
}

export class ReportFolder {
  readonly path: string;
  readonly #read = new Map<string, ReadSummary>();
  /** Folders, by the name of the record in them. */
  readonly #folders = new Map<string, string>();

  constructor(folder: string) {
    this.path = path.resolve(folder);
  }

  /** Each by the name in its record: the first of those that share one; the others by that of their folder. */
  async summaries(): Promise<RunSummaryView[]> {
    const folders = await readdir(this.path).catch(() => []);
    const read = await Promise.all(folders.map((folder) => this.#summary(folder)));
    const taken = new Set<string>();
    return read
      .filter((one) => one !== undefined)
      .map(({ view, name }) => {
        const id = taken.has(name) ? view.id : name;
        taken.add(id);
        this.#folders.set(id, view.id);
        return { ...view, id };
      });
  }

  /** By the name of its folder. */
  async summary(folder: string): Promise<RunSummaryView | undefined> {
    return (await this.#summary(folder))?.view;
  }

  /** By the name of its folder, or by that in the record. */
  async find(id: string): Promise<StoredRecord | undefined> {
    const found = (await this.#find(id)) ?? (await this.#findByName(id));
    return found && { version: `${found.file} ${found.changedMs}`, read: () => readFile(found.file) };
  }

  async #find(folder: string): Promise<FoundRecord | undefined> {
    if (!FOLDER_NAME.test(folder)) return undefined;
    const file = path.join(this.path, folder, 'run.json');
    const found = await stat(file).catch(() => undefined);
    if (!found?.isFile() || found.size > LONGEST_RECORD_BYTES) return undefined;
    return { file, changedMs: found.mtimeMs };
  }

  /** Which folder it is in is known once all were listed. */
  async #findByName(name: string): Promise<FoundRecord | undefined> {
    if (!this.#folders.has(name)) await this.summaries();
    const folder = this.#folders.get(name);
    return folder === undefined ? undefined : this.#find(folder);
  }

  async #summary(folder: string): Promise<ReadSummary | undefined> {
    const found = await this.#find(folder);
    if (!found) return undefined;
    const known = this.#read.get(folder);
    if (known?.changedMs === found.changedMs) return known;
    const record = parse(await readFile(found.file, 'utf8'));
    const view = summaryOf(folder, record);
    if (!view) return undefined;
    const read = { changedMs: found.changedMs, view, name: nameOf(record) ?? folder };
    this.#read.set(folder, read);
    return read;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
