/**
 * Account printer: a printer that the account has already, which checks may use where nothing connects a computer.
 */

import { ActionableError } from '../common/actionable-error.ts';
import { ServiceClient } from './service-client.ts';
import type { Target } from './target.ts';

/** The name of the first one; undefined where the account shows none. */
export async function printerOf(target: Pick<Target, 'baseUrl' | 'apiKey'>): Promise<string | undefined> {
  const client = new ServiceClient({ ...target, isPatient: true });
  try {
    const [printer] = await client.listAll('/printers');
    return typeof printer?.['name'] === 'string' ? printer['name'] : undefined;
  } catch (error) {
    // A list that cannot be read is for the checks to report.
    if (error instanceof ActionableError) return undefined;
    throw error;
  } finally {
    await client.close();
  }
}

/** The one with this id or name. */
export function printerNamed(printers: readonly PrinterFields[], named: string): PrinterFields | undefined {
  return printers.find(({ id, name }) => String(id) === named || name === named);
}

type PrinterFields = Readonly<Record<string, unknown>>;
