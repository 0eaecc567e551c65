/**
 * Client downloads: the client releases as one account sees them, each enabled or not.
 */

import { hash } from 'node:crypto';

import compareVersions from 'semver/functions/compare.js';
import { z } from 'zod';

import type { OPERATING_SYSTEMS } from '../../specification/inputs.ts';
import type { Database } from '../store/database.ts';
import { Records } from '../store/records.ts';

export type OperatingSystem = keyof typeof OPERATING_SYSTEMS;

interface ClientRelease {
  readonly id: number;
  readonly edition: string;
  readonly version: string;
  readonly os: OperatingSystem;
  readonly filename: string;
  /** Bytes. */
  readonly filesize: number;
  readonly sha1: string;
  readonly releaseTimestamp: string;
  /** Until an account changes it. */
  readonly isEnabledAtFirst: boolean;
}

/**
 * What the service lists; it serves no files. Chosen so that the rules for the latest version show: 4.10 is
 * higher than 4.9, a pre-release is not enabled by default, an edition has a version that the standard one lacks.
 *
 * [edition, version, os, bytes, day of release, enabled at first], oldest first.
 */
const ROWS = [
  ['standard', '4.8.1', 'windows', 24_117_248, '2025-02-11', true],
  ['standard', '4.8.1', 'osx', 31_457_280, '2025-02-11', true],
  ['standard', '4.9.2', 'windows', 24_903_680, '2025-06-03', true],
  ['standard', '4.9.2', 'osx', 32_243_712, '2025-06-03', true],
  ['partner', '4.9.3', 'windows', 24_969_216, '2025-07-15', true],
  ['partner', '4.9.3', 'osx', 32_309_248, '2025-07-15', true],
  ['standard', '4.10.0', 'windows', 25_165_824, '2025-10-21', true],
  ['standard', '4.10.0', 'osx', 32_505_856, '2025-10-21', true],
  ['standard', '5.0.0-beta.1', 'windows', 27_262_976, '2025-12-09', false],
  ['standard', '5.0.0-beta.1', 'osx', 34_603_008, '2025-12-09', false],
] as const;

const EXTENSIONS: Readonly<Record<OperatingSystem, string>> = { osx: 'dmg', windows: 'exe' };

/** All of them, by ascending id. */
const CLIENT_RELEASES: readonly ClientRelease[] = ROWS.map(
  ([edition, version, os, filesize, day, isEnabledAtFirst], index) => {
    const filename = `client-${edition}-${version}.${EXTENSIONS[os]}`;
    return {
      id: index + 1,
      edition,
      version,
      os,
      filename,
      filesize,
      sha1: hash('sha1', filename),
      releaseTimestamp: `${day}T09:00:00.000Z`,
      isEnabledAtFirst,
    };
  },
);

export interface ClientDownload {
  readonly release: ClientRelease;
  readonly isEnabled: boolean;
}

/** What an account has set; `id` is the account's, `enabled` goes by the id of the release. */
interface Decisions {
  readonly id: number;
  readonly enabled: Readonly<Record<number, boolean>>;
}

/** What a stored one has to have. */
export const STORED_DECISIONS: z.ZodType<Decisions> = z.object({
  id: z.int(),
  enabled: z.record(z.string(), z.boolean()),
});

export class ClientDownloads {
  readonly #records: Records<Decisions>;
  readonly #decisions = new Map<number, Decisions>();

  constructor(database: Database) {
    this.#records = new Records(database, 'client-download');
    for (const decisions of this.#records.load(STORED_DECISIONS)) this.#decisions.set(decisions.id, decisions);
  }

  /** All downloads of an account, the newest first. */
  of(accountId: number): ClientDownload[] {
    const enabled = this.#decisions.get(accountId)?.enabled ?? {};
    return CLIENT_RELEASES.map((release) => ({
      release,
      isEnabled: enabled[release.id] ?? release.isEnabledAtFirst,
    })).toReversed();
  }

  /** The enabled download of the highest version. */
  latest(accountId: number, os: OperatingSystem): ClientDownload | undefined {
    return this.of(accountId)
      .filter(({ release, isEnabled }) => isEnabled && release.os === os)
      .toSorted((a, b) => compareVersions(b.release.version, a.release.version))[0];
  }

  enable(accountId: number, releaseIds: readonly number[], isEnabled: boolean): void {
    const before = this.#decisions.get(accountId)?.enabled ?? {};
    const enabled = { ...before, ...Object.fromEntries(releaseIds.map((id) => [id, isEnabled])) };
    const decisions = { id: accountId, enabled };
    this.#decisions.set(accountId, decisions);
    this.#records.save(decisions);
  }

  forget(accountId: number): void {
    this.#decisions.delete(accountId);
    this.#records.remove(accountId);
  }
}

/** The client download record (choice: gap/client-download-record), as JSON text. */
export function renderClientDownload({ release, isEnabled }: ClientDownload, appUrl: string): string {
  const { id, edition, version, os, filename, filesize, sha1, releaseTimestamp } = release;
  return JSON.stringify({
    id,
    enabled: isEnabled,
    edition,
    version,
    os,
    filename,
    filesize,
    sha1,
    releaseTimestamp,
    url: `${appUrl}/download/client/${edition}/${os}/${filename}`,
  });
}
