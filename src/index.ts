/**
 * What the package gives to programs.
 */

// A workbench: reference service and room, in this process or elsewhere.
export { start, type StartedPlaten } from './workbench/start.ts';
export { connect, type ConnectOptions } from './workbench/library/connect.ts';
export type { StartOptions } from './workbench/workbench.ts';
export type { WorkbenchAccounts, WorkbenchFaults, WorkbenchWebhooks, Platen } from './workbench/library/platen.ts';
export type { WorkbenchClock } from './workbench/library/workbench-clock.ts';

// Print jobs, to look at and to wait for.
export type { WorkbenchJobs, Job } from './workbench/library/workbench-jobs.ts';
export { JobWaitExpired, type JobQuery, type NearMiss } from './workbench/views/job-query.ts';

// The room: computers, printers and scales.
export type { WorkbenchComputer, WorkbenchPrinter, WorkbenchScale } from './workbench/library/workbench-devices.ts';
export type { RoomDescription } from './devices/room.ts';

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
