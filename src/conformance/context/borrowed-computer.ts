/**
 * Borrowed computer: one that the account has already, with a printer that the descriptor of the target allows to
 * use. Jobs can be submitted to it and looked at; its own end is not ours, and what only that could do ends the check
 * as untestable.
 */

import { isObject, showValue } from '../../common/json-value.ts';
import { asRecords, isId } from '../expect/records.ts';
import type { ApiClient } from './api-client.ts';
import { CheckEnded } from './check-ended.ts';
import type { ScriptedComputer } from './scripted-computer.ts';

interface BorrowedComputer extends ScriptedComputer {
  readonly printerIds: readonly number[];
  readonly printerId: number;
}

/** Finds the printer by its id or name. Ends the check where the account has none. */
export async function borrowComputer(api: ApiClient, printer: string): Promise<BorrowedComputer> {
  const isNumber = /^\d+$/.test(printer);
  const answer = await api.get(isNumber ? `/printers/${printer}` : '/printers');
  const found = (asRecords(answer.value) ?? []).find(({ id, name }) => (isNumber ? String(id) : name) === printer);
  const { id, computer } = found ?? {};
  const computerId = isObject(computer) ? computer['id'] : undefined;
  if (!isId(id)) {
    throw new CheckEnded(
      'blocked',
      `the account has no printer ${showValue(printer)}, which the target descriptor names`,
    );
  }
  return {
    get computerId() {
      if (isId(computerId)) return computerId;
      throw new CheckEnded('blocked', `the printer ${showValue(printer)} does not show the id of its computer`);
    },
    printerId: id,
    printerIds: [id],
    printers: [],
    deliveries: [],
    get client(): never {
      return endOfComputer();
    },
    waitForJob: endOfComputer,
    report: endOfComputer,
    reportPrinters: endOfComputer,
    reportScales: endOfComputer,
    scalesShown: endOfComputer,
    publishReading: endOfComputer,
    disconnect: endOfComputer,
    connect: endOfComputer,
  };
}

function endOfComputer(): never {
  throw new CheckEnded('untestable', "needs the computer's end of a link, and the target has no link");
}
