/**
 * Stored place: what a command takes from a stored run of where it took place. Every command that plays one again asks
 * here, and only here is it decided: data is taken, and what flagsAgain lists only from the command line of this call.
 */

import { usageError } from '../../common/actionable-error.ts';
import { keysOf } from '../../common/keys-of.ts';
import { isLoopback } from '../../common/loopback.ts';
import { foundAt } from '../../common/named-place.ts';
import { readTextFile } from '../../common/given-file.ts';
import {
  flagsAgain,
  flagWords,
  isModule,
  type FlagName,
  type FlagValues,
  type StoredPlace,
} from '../../record/flags-again.ts';
import type { TargetFlags } from './open-target.ts';

export interface PlaceFlags extends TargetFlags {
  readonly url?: string;
}

type TakenPlace = Readonly<Record<'url' | 'target' | 'link', string | undefined>>;

/** They say which service it is: one that the command line names stands in for all of them. */
const WHICH: readonly FlagName[] = ['target', 'url', 'start', 'image', 'imagePort', 'allowWrites'];

/**
 * Where a run is repeated.
 *
 * @param call - the command line without these flags, for the message
 * @throws ActionableError that has every flag which is missing in a line to paste
 */
export async function takeStoredPlace(place: StoredPlace, flags: PlaceFlags, call: string): Promise<TakenPlace> {
  const { url, target, start, image, link, keysGiven } = flags;
  // It has its own link, keys and receiver.
  if (target !== undefined) return { url, target, link };
  const isNamed = (url ?? start ?? image) !== undefined;
  const described = isNamed ? undefined : await describedPlace(place, flags);
  const from = described ?? place;
  // Beside a descriptor, keys of the environment do not count.
  const typed = described ? { ...flags, secondKey: keysGiven?.second, integratorKey: keysGiven?.integrator } : flags;
  const needed = flagsAgain(from);
  const missing = keysOf(needed).filter(
    // A variable that is not set gives an empty key.
    (name) => needed[name] !== undefined && !(isNamed && WHICH.includes(name)) && (typed[name] ?? '') === '',
  );
  if (missing.length > 0) throw refusal(Object.fromEntries(missing.map((name) => [name, needed[name]])), flags, call);
  return { url: isNamed ? url : from.url, target: described && place.given?.descriptor, link: link ?? from.link };
}

function refusal(missing: FlagValues, flags: PlaceFlags, call: string): Error {
  const names = flagWords(missing).map((words) => words.replace(/ .*/s, ''));
  return usageError(
    `the run had ${names.join(', ')}, which no record can give`,
    `Give it again, if you trust the record: ${[call, ...flagWords({ ...flags, ...missing })].join(' ')}`,
  );
}

/** Keys of a descriptor that only describe: with others something runs, or this machine is opened to a network. */
const DESCRIBING = ['url', 'keys', 'link', 'use', 'capabilities', 'dialect', 'rate', 'waits', 'tolerance'];

/** The place that the descriptor of a run says, where it is no more than a description of a service on this machine. */
async function describedPlace(place: StoredPlace, { keysGiven }: PlaceFlags): Promise<StoredPlace | undefined> {
  if (place.given?.descriptor === undefined) return undefined;
  const { descriptor: file, ...given } = place.given;
  if (!foundAt(file)?.isFile()) return undefined;
  const { readDescriptor } = await import('../../targets/descriptor.ts');
  const read = readDescriptor(await readTextFile(file, 'Name it with --target.'), process.env, keysGiven);
  if (!read.ok || !Object.keys(read.value).every((key) => DESCRIBING.includes(key))) return undefined;
  const { url = read.value.url ?? '', image, link } = given;
  const isPlain = image === undefined && typeof read.value.link !== 'object' && !isModule(link) && isLoopback(url);
  return isPlain ? { url, link, given } : undefined;
}
