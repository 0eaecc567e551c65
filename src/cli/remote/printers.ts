/**
 * Printers by name: the printer of a service that the command line names.
 */

import { z } from 'zod';

import { usageError } from '../../common/actionable-error.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { Remote } from './remote.ts';

const printerRecord = z.object({
  id: z.number(),
  name: z.string(),
  default: z.boolean().nullish(),
  computer: z.object({ name: z.string() }),
});

export type PrinterRecord = z.infer<typeof printerRecord>;

/**
 * The printer of this name or id; without one, the only printer, or the default printer of the oldest computer.
 *
 * @throws ActionableError with a list of the printers, when none or several match
 */
export async function choosePrinter(remote: Remote, wanted: string | undefined): Promise<PrinterRecord> {
  const printers = await listPrinters(remote);
  const candidates = wanted === undefined ? defaults(printers) : named(printers, wanted);
  const [only] = candidates;
  if (only && candidates.length === 1) return only;
  if (printers.length === 0) {
    throw usageError(`${remote.url} has no printers`, 'Connect a computer that has one.');
  }
  const problem =
    wanted === undefined
      ? 'which printer?'
      : `${candidates.length === 0 ? 'no printer is' : 'several printers are'} named '${wanted}'`;
  throw usageError(problem, `Name one with --printer, by name or id: ${listOf(printers)}`);
}

/** A list without an end has more. */
const MOST_PRINTERS = 100_000;

/** All of them, the oldest first, in pages as every service gives them. */
async function listPrinters(remote: Remote): Promise<readonly PrinterRecord[]> {
  const printers: PrinterRecord[] = [];
  for (let after = ''; ;) {
    const answer = remote.get(`/printers?dir=asc${after}`);
    const page = await remote.shaped(z.array(printerRecord), 'a list of printers', answer);
    for (const printer of page) printers.push(printer);
    if (printers.length > MOST_PRINTERS)
      throw usageError(`${remote.url} has more than ${MOST_PRINTERS} printers`, 'Check the address given with --url.');
    const last = page.at(-1);
    if (!last || page.length < LIMITS.pageSize.value) return printers;
    after = `&after=${last.id}`;
  }
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
