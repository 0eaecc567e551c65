/**
 * Workbench parts: what the routes of the control API work on.
 */

import type { RoomDescription } from '../devices/room.ts';
import type { AccountView, NewAccountView } from '../record/control-types.ts';
import type { ServiceAdmin } from '../service/service-admin.ts';
import type { DeliveryLog } from './logs/delivery-log.ts';
import type { KeptDocuments } from './logs/kept-documents.ts';
import type { LiveFeed } from './logs/live-feed.ts';
import type { TrafficLog } from './logs/traffic-log.ts';
import type { Runs } from './runs.ts';
import type { Tenant } from './tenant.ts';
import type { Jobs } from './views/jobs.ts';
import type { WorkbenchTime } from './workbench-time.ts';

/** What the room of an account is made from. */
export type RoomChoice = 'default' | 'none' | RoomDescription;

export interface WorkbenchParts {
  readonly url: string;
  readonly apiKey: string;
  readonly seed: number | string;
  readonly limits: 'spec' | 'off';
  /** ISO 8601, in real time. */
  readonly startedAt: string;
  readonly controlToken: string | undefined;
  readonly service: ServiceAdmin;
  readonly time: WorkbenchTime;
  readonly jobs: Jobs;
  readonly documents: KeptDocuments;
  readonly traffic: TrafficLog;
  readonly deliveries: DeliveryLog;
  readonly feed: LiveFeed;
  readonly runs: Runs;
  /** The account of this id that has a room; the main one where none is given. @throws ControlError */
  tenant(accountId: number | undefined): Tenant;
  accounts(): AccountView[];
  /** Makes an account with a room of its own. @throws ActionableError when the room cannot be had */
  createAccount(room: RoomChoice): Promise<NewAccountView>;
  /** @throws ControlError for the account of the workbench itself */
  removeAccount(id: number): Promise<void>;
  /** Back to the seed: everything, or one account. */
  reset(accountId?: number): Promise<void>;
}
