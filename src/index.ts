/**
 * What the package gives to programs.
 */

import type { NamedRoom } from './workbench/library/workbench-devices.ts';
import { start as startWorkbench, type StartedPlaten } from './workbench/start.ts';
import type { StartOptions as WorkbenchOptions } from './workbench/workbench.ts';

// A workbench: reference service and room, in this process or elsewhere.
export interface StartOptions extends Omit<WorkbenchOptions, 'room'> {
  readonly room?: NamedRoom | undefined;
}

/**
 * Starts a workbench; resolves when its computers are connected and it can be used.
 *
 * @throws ActionableError when the port or the data file cannot be used, or the room cannot be made
 */
export const start: (options?: StartOptions) => Promise<StartedPlaten> = startWorkbench;

export type { StartedPlaten } from './workbench/start.ts';
export { connect, type ConnectOptions } from './workbench/library/connect.ts';
export type { WorkbenchAccounts, WorkbenchFaults, WorkbenchWebhooks, Platen } from './workbench/library/platen.ts';
export type { WorkbenchClock } from './workbench/library/workbench-clock.ts';

// Print jobs, to look at and to wait for.
export type { WorkbenchJobs, Job, JobState, JobWait } from './workbench/library/workbench-jobs.ts';
export { PrintFailed, type PrintableFile, type PrintOptions, type PrintRequest } from './workbench/library/print.ts';
export { JobWaitExpired, type NearMiss } from './workbench/views/job-query.ts';

// What operating systems and programs printed, past the service.
export type { PrintoutWait, WorkbenchPrintout, WorkbenchPrintouts } from './workbench/library/workbench-printouts.ts';
export { PrintoutWaitExpired } from './workbench/control/control-client.ts';

// The room: computers, printers and scales.
export type {
  NamedRoom,
  WorkbenchComputer,
  WorkbenchPrinter,
  WorkbenchScale,
} from './workbench/library/workbench-devices.ts';
export type { ComputerFault, LinkFault, PrinterFault, RoomFaultRule, ScaleFault } from './devices/room-faults.ts';
export type { RoomDescription } from './devices/room.ts';
export type { DocumentName, PrinterProfileName, ScaleProfileName } from './devices/shipped-names.ts';

// Events of the service.
export type { EventQuery, WebhookEvent, WebhookInbox } from './workbench/library/webhook-inbox.ts';

// What the control API answers with.
export type * from './record/control-types.ts';

// What an adapter to a service with another link implements (docs/device-link.md).
export type {
  DeliveredJob,
  DeviceLink,
  JobStateReport,
  LinkCredential,
  LinkEvents,
  LinkFailure,
  LinkRequest,
  LinkSession,
  ReadingReport,
} from './link/device-link.ts';

// Errors that say what to do next.
export { ActionableError } from './common/actionable-error.ts';
