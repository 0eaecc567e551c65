/**
 * Client releases: the versions of the client that the reference service lists. Data alone: it serves no
 * files.
 *
 * Chosen so that the rules for the latest version show: 4.10 is higher than 4.9, a pre-release is not enabled
 * by default, an edition has a version that the standard one lacks.
 */

import { hash } from 'node:crypto';

import type { OPERATING_SYSTEMS } from '../../spec/inputs.ts';

export type OperatingSystem = keyof typeof OPERATING_SYSTEMS;

export interface ClientRelease {
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

/** [edition, version, os, bytes, day of release, enabled at first], oldest first. */
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
export const CLIENT_RELEASES: readonly ClientRelease[] = ROWS.map(
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
