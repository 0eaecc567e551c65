/**
 * Seats: which id the service has given to each printer of the room. Asked of each account once, after its
 * computers have reported.
 */

import { ActionableError } from '../../common/actionable-error.ts';
import type { ControlClient } from '../traffic/control-client.ts';
import type { LoadAccount } from '../traffic/load-account.ts';

/** A printer of the room, as its computer knows it. */
export interface RoomSeat {
  /** Number of its account in the plan. */
  readonly account: number;
  /** Id that the service gave to its computer. */
  readonly computerId: number;
  readonly printerName: string;
  /** Its number among all printers of the plan. */
  readonly printer: number;
}

/** Tells every account its printers and computers. @throws ActionableError when the service does not list one */
export async function takeSeats(
  client: ControlClient,
  accounts: ReadonlyMap<number, LoadAccount>,
  seats: readonly RoomSeat[],
): Promise<void> {
  const byAccount = Map.groupBy(seats, ({ account }) => account);
  for (const account of accounts.values()) {
    const own = byAccount.get(account.number) ?? [];
    if (own.length > 0) await seatAccount(client, account, own);
  }
}

async function seatAccount(
  client: ControlClient,
  account: LoadAccount,
  seats: readonly RoomSeat[],
): Promise<void> {
  const records = await client.listAll('/printers', account.apiKey);
  const ids = new Map(records.map((record) => [placeOf(record), Number(record['id'])]));
  account.computerIds = [...new Set(seats.map(({ computerId }) => computerId))];
  account.printers = seats.map((seat) => {
    const id = ids.get(`${seat.computerId} ${seat.printerName}`);
    if (id === undefined) throw notListed(account, seat);
    return { id, printer: seat.printer };
  });
}

function placeOf({ computer, name }: Readonly<Record<string, unknown>>): string {
  const id = typeof computer === 'object' && computer !== null && 'id' in computer ? computer.id : undefined;
  return `${String(id)} ${String(name)}`;
}

function notListed({ number }: LoadAccount, { computerId, printerName }: RoomSeat): ActionableError {
  return new ActionableError(
    'unreachable',
    `GET /printers of account ${number} does not list the printer '${printerName}' of computer ${computerId}, which has reported it`,
    'Run platen check first: a load needs a service that lists the printers it was told of.',
  );
}
