/**
 * Start options: looks at what a program gives to start(). One in JavaScript would not learn that an option has no
 * effect, or has another than it looks like.
 */

import { z } from 'zod';

import { usageError } from '../common/actionable-error.ts';
import { givenObject } from '../common/given-object.ts';
import { ensureKnown } from '../common/nearest-name.ts';
import { readValueAs } from '../common/schema-problems.ts';
import type { StartOptions } from './workbench.ts';

const LAST_PORT = 65_535;

const filled = z.string().min(1).optional();
/** Looked at where it is used. */
const anything = z.unknown().optional();

const port = z.number().int().min(0).max(LAST_PORT).optional();

const given = z.object({
  port,
  host: filled,
  clock: anything,
  seed: z.union([z.number(), z.string()]).optional(),
  dataFile: filled,
  apiKey: filled,
  controlToken: filled,
  loadToken: filled,
  limits: z.enum(['spec', 'off']).optional(),
  room: anything,
  reports: filled,
  tls: z.union([z.boolean(), z.object({ cert: z.string(), key: z.string() })]).optional(),
  expose: z.strictObject({ ipp: port, ipps: port, raw: port, lpd: port, usb: port, 'dns-sd': port }).optional(),
  onFault: anything,
} satisfies Readonly<Record<keyof StartOptions, z.ZodType>>);

/**
 * @throws RangeError when there is no such option or clock
 * @throws ActionableError that says which value is wrong, and what it may be
 */
export function ensureStartOptions(options: StartOptions): void {
  givenObject('the argument of start', "{ clock: 'virtual' }", options);
  for (const name of Object.keys(options)) ensureKnown('option of start', name, Object.keys(given.shape));
  if (typeof options.clock === 'string') ensureKnown('clock', options.clock, ['real', 'virtual']);
  const read = readValueAs(given, options);
  if (!read.ok) throw usageError(read.error, 'docs/library.md shows what start() takes.');
}
