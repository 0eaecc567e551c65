/**
 * Flags again: what a run was given that no record can give. A record may come from anybody, so what runs code, allows
 * something or leads to another machine counts only where the command line of a repetition names it.
 *
 *   place of a run ─► flags ─┬─► reports: the line that repeats a failure
 *                            └─► src/cli/options/stored-place.ts: refuses, until the command line has them
 */

import { keysOf } from '../common/keys-of.ts';
import { isLoopback } from '../common/loopback.ts';
import { shellArgument } from '../common/shell-word.ts';
import type { CheckRunRecord, GivenRecord } from './check-record.ts';

/** Where a run took place; no field is set for the reference service. */
export interface StoredPlace {
  readonly url?: string | undefined;
  readonly image?: string | undefined;
  readonly link?: string | undefined;
  readonly given?: GivenRecord | undefined;
}

const FLAGS = {
  target: '--target',
  url: '--url',
  start: '--start',
  image: '--image',
  imagePort: '--image-port',
  allowWrites: '--allow-writes',
  link: '--link',
  callbackHost: '--callback-host',
  secondKey: '--second-key "$PLATEN_SECOND_API_KEY"',
  integratorKey: '--integrator-key "$PLATEN_INTEGRATOR_API_KEY"',
} as const;

export type FlagName = keyof typeof FLAGS;
/** The values of flags; for a key, only whether it is given. */
export type FlagValues = Readonly<Partial<Record<FlagName, string | number | boolean | undefined>>>;

export function placeOfRun({ kind, baseUrl, name, link, given }: CheckRunRecord['target']): StoredPlace {
  return { url: kind === 'remote' ? baseUrl : undefined, image: kind === 'container' ? name : undefined, link, given };
}

/** The flags that a repetition at this place needs. */
export function flagsAgain({ url, image, link, given }: StoredPlace): FlagValues {
  const { descriptor, start, imagePort, callbackHost, allowWrites, keys = [] } = given ?? {};
  const isElsewhere = url !== undefined && !isLoopback(url);
  const module = isModule(link) ? link : undefined;
  // All else is of no use to the reference service.
  if ((url ?? image ?? descriptor) === undefined) return { link: module };
  // A descriptor says where the service is and how to reach it; flags given beside it come first.
  const where =
    descriptor === undefined
      ? { url: start === undefined && isElsewhere ? url : undefined, image, link: module }
      : { target: descriptor, url: given?.url, image: given?.image, link: given?.link };
  return {
    ...where,
    ...(start !== undefined && { start, url: given?.url }),
    imagePort,
    allowWrites: isElsewhere || descriptor !== undefined ? allowWrites : undefined,
    callbackHost,
    secondKey: keys.includes('second') || undefined,
    integratorKey: keys.includes('integrator') || undefined,
  };
}

/** The others are words. */
export function isModule(link: string | undefined): boolean {
  return link !== undefined && link !== 'websocket' && link !== 'none';
}

/** As a person types them: `--url https://print.example --allow-writes`. */
export function flagWords(values: FlagValues): readonly string[] {
  return keysOf(FLAGS).flatMap((name) => {
    const value = values[name];
    if (value === undefined) return [];
    const isWhole = typeof value === 'boolean' || FLAGS[name].includes(' ');
    return [isWhole ? FLAGS[name] : `${FLAGS[name]} ${shellArgument(String(value))}`];
  });
}
