/**
 * Client downloads: the client releases as one account sees them, each enabled or not.
 */

import compareVersions from 'semver/functions/compare.js';

import type { Database } from '../store/database.ts';
import { Records } from '../store/records.ts';
import { CLIENT_RELEASES, type ClientRelease, type OperatingSystem } from './client-release.ts';

export interface ClientDownload {
  readonly release: ClientRelease;
  readonly isEnabled: boolean;
}

/** What an account has set; `id` is the account's, `enabled` goes by the id of the release. */
interface Decisions {
  readonly id: number;
  readonly enabled: Readonly<Record<number, boolean>>;
}

export class ClientDownloads {
  readonly #records: Records<Decisions>;
  readonly #decisions = new Map<number, Decisions>();

  constructor(database: Database) {
    this.#records = new Records(database, 'client-download');
    for (const decisions of this.#records.load()) this.#decisions.set(decisions.id, decisions);
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

  /** Forgets what an account has set. */
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
