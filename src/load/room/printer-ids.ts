/**
 * Printer ids: which id the service has given to each printer of the room. Each account is asked once, after its
 * computers have reported their printers.
 */

import { isObject } from '../../common/json-value.ts';
import { ActionableError } from '../../common/actionable-error.ts';
import type { ServiceClient } from '../../targets/service-client.ts';
import type { LoadAccount } from '../traffic/load-account.ts';

/** A printer of the room, as its computer knows it. */
export interface RoomPrinter {
  /** Number of its account in the plan. */
  readonly account: number;
  /** Id that the service gave to its computer. */
  readonly computerId: number;
  readonly printerName: string;
  /** Its number among all printers of the plan. */
  readonly printer: number;
}

/** Tells every account its printers and computers. @throws ActionableError when the service does not list one */
export async function assignPrinters(
  client: ServiceClient,
  accounts: ReadonlyMap<number, LoadAccount>,
  printers: readonly RoomPrinter[],
): Promise<void> {
  const byAccount = Map.groupBy(printers, ({ account }) => account);
  for (const account of accounts.values()) {
    const own = byAccount.get(account.number) ?? [];
    if (own.length > 0) await assignTo(client, account, own);
  }
}

async function assignTo(client: ServiceClient, account: LoadAccount, printers: readonly RoomPrinter[]): Promise<void> {
  const records = await client.listAll('/printers', account.apiKey);
  const ids = new Map(records.map((record) => [placeOf(record), Number(record['id'])]));
  account.computerIds = [...new Set(printers.map(({ computerId }) => computerId))];
  account.printers = printers.map((one) => {
    const id = ids.get(`${one.computerId} ${one.printerName}`);
    if (id === undefined) throw notListed(account, one);
    return { id, printer: one.printer };
  });
}

function placeOf({ computer, name }: Readonly<Record<string, unknown>>): string {
  const id = isObject(computer) ? computer['id'] : undefined;
  return `${String(id)} ${String(name)}`;
}

function notListed({ number }: LoadAccount, { computerId, printerName }: RoomPrinter): ActionableError {
  return new ActionableError(
    'unreachable',
    `GET /printers of account ${number} does not list the printer '${printerName}' of computer ${computerId}, which has reported it`,
    'Run platen check first: a load needs a service that lists the printers that computers report.',
  );
}
