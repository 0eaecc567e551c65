/**
 * Room known: whether the service knows the printers of a room as they are. A change is reported over the link,
 * and a caller that made one expects to see it at the service.
 */

import { realTimekeeper } from '../../common/timekeeper.ts';
import { eventually, WaitExpired } from '../../common/waiter.ts';
import type { ServiceAdmin } from '../../service/service-admin.ts';
import type { AccountRoom } from './account-room.ts';

/** A link that is slow or cut by a fault rule must not hold up the answer. */
const LIMIT = '500ms';

/** Resolves when the service knows the room, or does not learn of it in half a second. */
export async function roomKnown(accountRoom: AccountRoom, service: ServiceAdmin): Promise<void> {
  try {
    await eventually({
      description: 'the service to know the room',
      limit: LIMIT,
      every: 1,
      timekeeper: realTimekeeper,
      probe: () => isKnown(accountRoom, service) || undefined,
    });
  } catch (error) {
    if (!(error instanceof WaitExpired)) throw error;
  }
}

function isKnown({ room, accountId }: AccountRoom, service: ServiceAdmin): boolean {
  const known = service.printersOf(accountId);
  return room.computers.every(({ id, connected, printers }) => {
    if (!connected) return true;
    const reports = new Map(
      known.filter(({ computer }) => computer.id === id).map(({ report }) => [report.key, report.state]),
    );
    return reports.size === printers.length && printers.every(({ key, state }) => reports.get(key) === state);
  });
}
