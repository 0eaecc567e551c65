/**
 * What the package gives to programs.
 */

// A bench: reference service and room in this process.
export { start, type BenchClock, type Platen, type StartOptions } from './workbench/start.ts';

// Print jobs, to look at and to wait for.
export type { Job, JobWithTimeline, PrintoutSummary } from './workbench/job.ts';
export type { JobQuery, NearMiss } from './workbench/job-query.ts';
export { JobWaitExpired, type Jobs } from './workbench/jobs.ts';

// The room and what came out of its printers.
export type { Printout, SheetsPrintout } from './devices/printout.ts';
export type { Room, RoomDescription } from './devices/room.ts';

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
