/**
 * Placeholders: names of the scenario in the strings of a request, `/printjobs/{job:letter}`.
 *
 *   {job:NAME}  {printer:NAME}  {computer:NAME}  {webhook:NAME}   ids, several with commas
 *   {value:NAME}                                                  what an earlier request saved
 *   {receiver}                                                    address of the webhook receiver
 *   {second}                                                      key of an unrelated account
 *   {run}                                                         letters that no other play of the scenario has
 */

import type { NameKind, NameUse } from '../vocabulary/names.ts';
import type { Path } from '../../common/problem.ts';
import type { Setup } from './setup.ts';

const PLACEHOLDER = /\{(?:(job|printer|computer|webhook|value):([^{}]+)|(receiver|second|run))\}/g;
const ID_ALONE = /^\{(?:job|printer|computer|webhook):[^{}]+\}$/;

/** The names that the strings in a value use, all at one place. */
export function namesIn(value: unknown, ...path: Path): readonly NameUse[] {
  return textsIn(value).flatMap((text) =>
    [...text.matchAll(PLACEHOLDER)].flatMap(([, kind, name]) =>
      kind !== undefined && name !== undefined ? [{ kind: kind as NameKind, name, path }] : [],
    ),
  );
}

/** The value with every placeholder replaced. */
export async function filledIn<Value>(value: Value, setup: Setup): Promise<Value> {
  const fill = await fillerOf(value, setup);
  return mapTexts(value, fill) as Value;
}

/** As `filledIn`, for JSON: a string that is one id, and nothing else, becomes that number. */
export async function filledInJson(value: unknown, setup: Setup): Promise<unknown> {
  const fill = await fillerOf(value, setup);
  return mapTexts(value, (text) => {
    const filled = fill(text);
    return ID_ALONE.test(text) && /^\d+$/.test(filled) ? Number(filled) : filled;
  });
}

async function fillerOf(value: unknown, setup: Setup): Promise<(text: string) => string> {
  const found = new Set(textsIn(value).flatMap((text) => [...text.matchAll(PLACEHOLDER)].map(([whole]) => whole)));
  const meanings = new Map<string, string>();
  for (const placeholder of found) meanings.set(placeholder, await meaningOf(placeholder, setup));
  return (text) => text.replaceAll(PLACEHOLDER, (whole) => meanings.get(whole) ?? whole);
}

async function meaningOf(placeholder: string, setup: Setup): Promise<string> {
  if (placeholder === '{second}') return setup.target.secondApiKey ?? '';
  if (placeholder === '{run}') return setup.run;
  const [, kind, name = ''] = [...placeholder.matchAll(PLACEHOLDER)][0] ?? [];
  switch (kind) {
    case 'job':
      return setup
        .jobsNamed(name)
        .map(({ id }) => id)
        .join(',');
    case 'printer':
      return String(await setup.printerId(name));
    case 'computer':
      return String(setup.cast.computerId(setup.computer(name)));
    case 'webhook':
      return String(setup.webhooks.get(name)?.id ?? '');
    case 'value':
      return setup.values.get(name) ?? '';
    case undefined:
    default:
      return (await setup.sinks.receiver()).url;
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

function mapTexts(value: unknown, map: (text: string) => unknown): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, map)]));
}
