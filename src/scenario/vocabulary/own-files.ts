/**
 * Own files: the documents, pictures and printer profiles that a scenario names by a path. They are read once, with the
 * scenario itself: what is there later does not count.
 */

import { existsSync } from 'node:fs';

import { ActionableError } from '../../common/actionable-error.ts';
import type { Reach } from '../../common/file-reach.ts';
import { isObject } from '../../common/json-value.ts';
import { failure, success, type Outcome } from '../../common/outcome.ts';
import type { Path } from '../../common/problem.ts';
import { PRINTER_PROFILES, type PrinterProfile } from '../../devices/printer/printer-profile.ts';
import { isProfileFile } from '../../devices/profile-files.ts';
import { SHIPPED_PROFILES, type Profiles } from '../../devices/profiles.ts';
import { isOwnDocument, placeOfFile } from './documents.ts';

/** Each by its name in the scenario. */
export interface OwnFiles {
  readonly documents: ReadonlyMap<string, Uint8Array>;
  /** Undefined where there is no such file yet. */
  readonly pictures: ReadonlyMap<string, Uint8Array | undefined>;
  readonly profiles: ReadonlyMap<string, PrinterProfile>;
}

/** A name in the scenario, and where it stands. */
interface Named {
  readonly name: string;
  readonly path: Path;
}

/** What is wrong at a place in the scenario. */
export interface UnreadFile {
  readonly path: Path;
  readonly message: string;
}

/**
 * @param scenario - as it stands in its file
 * @param folder - where paths of documents and pictures start; those of profiles start where platen runs
 */
export function readOwnFiles(
  scenario: unknown,
  folder: string,
  reach: Reach,
): Outcome<OwnFiles, readonly UnreadFile[]> {
  const unread: UnreadFile[] = [];
  const readAll = <Content>(names: readonly Named[], read: (name: string) => Outcome<Content, string>) => {
    const found = new Map<string, Content>();
    for (const { name, path } of names) {
      const content = found.has(name) ? undefined : read(name);
      if (content?.ok) found.set(name, content.value);
      else if (content) unread.push({ path, message: content.error });
    }
    return found;
  };
  const named = (key: string): readonly Named[] => namesUnder(key, scenario, []);
  const documents = readAll(
    named('document').filter(({ name }) => isOwnDocument(name)),
    (name) => reach.read(placeOfFile(name, folder)),
  );
  const pictures = readAll(named('picture'), (name) => readPicture(placeOfFile(name, folder), reach));
  const profiles = readAll(
    named('profile').filter(({ name }) => isProfileFile(name)),
    (name) => readProfile(name, reach),
  );
  return unread.length > 0 ? failure(unread) : success({ documents, pictures, profiles });
}

/** Those that ship, and the scenario's own. */
export function profilesOf({ profiles }: Pick<OwnFiles, 'profiles'>): Profiles {
  return { ...SHIPPED_PROFILES, printer: (name) => profiles.get(name) ?? SHIPPED_PROFILES.printer(name) };
}

/** A picture of a sheet is a hundredth of it. */
const MOST_PICTURE_BYTES = 16 * 1024 * 1024;

function readPicture(place: string, reach: Reach): Outcome<Uint8Array | undefined, string> {
  return existsSync(place) ? reach.read(place, MOST_PICTURE_BYTES) : success(undefined);
}

function readProfile(name: string, reach: Reach): Outcome<PrinterProfile, string> {
  try {
    return success(PRINTER_PROFILES.load(name, reach));
  } catch (error) {
    if (error instanceof ActionableError) return failure(error.message);
    throw error;
  }
}

/** What a request to the service says is its own business. */
const OF_OTHERS = 'request';

function namesUnder(wanted: string, value: unknown, path: Path): readonly Named[] {
  if (!isObject(value) && !Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]): readonly Named[] => {
    const here = [...path, Array.isArray(value) ? Number(key) : key];
    if (key === wanted && typeof inner === 'string') return [{ name: inner, path: here }];
    if (key === wanted && Array.isArray(inner)) return namesIn(inner, here);
    return key === OF_OTHERS ? [] : namesUnder(wanted, inner, here);
  });
}

function namesIn(list: readonly unknown[], path: Path): readonly Named[] {
  return list.flatMap((name, index) => (typeof name === 'string' ? [{ name, path: [...path, index] }] : []));
}
