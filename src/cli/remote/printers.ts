/**
 * Printers by name: which printer of a service somebody means.
 */

import { z } from 'zod';

import { ActionableError } from '../../common/actionable-error.ts';
import type { Remote } from './remote.ts';

const printerRecord = z.object({
  id: z.number(),
  name: z.string(),
  default: z.boolean().nullish(),
  computer: z.object({ name: z.string() }),
});

export type PrinterRecord = z.infer<typeof printerRecord>;

const LIST_LIMIT = 1_000;

/**
 * The printer of this name or id; without one, the only printer, or the default one of the computer that
 * was there first.
 *
 * @throws ActionableError listing what there is, when none or several are meant
 */
export async function choosePrinter(remote: Remote, wanted: string | undefined): Promise<PrinterRecord> {
  const printers = await listPrinters(remote);
  const candidates = wanted === undefined ? defaults(printers) : named(printers, wanted);
  const [only] = candidates;
  if (only && candidates.length === 1) return only;
  if (printers.length === 0) {
    throw new ActionableError('usage', `${remote.url} has no printers`, 'Connect a computer that has some.');
  }
  const problem =
    wanted === undefined ? 'which printer?' : `${candidates.length || 'no'} printer is named '${wanted}'`;
  throw new ActionableError('usage', problem, `Name one with --printer NAME or ID: ${listOf(printers)}`);
}

async function listPrinters(remote: Remote): Promise<PrinterRecord[]> {
  const parsed = z.array(printerRecord).safeParse(await remote.get(`/printers?limit=${LIST_LIMIT}`));
  if (parsed.success) return parsed.data.toSorted((a, b) => a.id - b.id);
  throw new ActionableError(
    'unreachable',
    `${remote.url} is no printing service: what it answers at /printers is no list of printers`,
    'Check the address given with --url.',
  );
}

/** An exact name wins over one in another case, and that over an id. */
function named(printers: readonly PrinterRecord[], wanted: string): readonly PrinterRecord[] {
  const readings = [
    printers.filter(({ name }) => name === wanted),
    printers.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase()),
    printers.filter(({ id }) => String(id) === wanted),
  ];
  return readings.find((found) => found.length > 0) ?? [];
}

function defaults(printers: readonly PrinterRecord[]): readonly PrinterRecord[] {
  return printers.length === 1 ? printers : printers.filter((each) => each.default === true).slice(0, 1);
}

function listOf(printers: readonly PrinterRecord[]): string {
  return printers.map(({ id, name, computer }) => `${id} '${name}' (${computer.name})`).join(', ');
}
