/**
 * What the package gives to programs.
 */

// A bench: reference service and room, in this process or elsewhere.
export { start, type StartedPlaten } from './workbench/start.ts';
export { connect, type ConnectOptions } from './workbench/connect.ts';
export type { StartOptions } from './workbench/bench.ts';
export type { BenchAccounts, BenchFaults, BenchWebhooks, Platen } from './workbench/platen.ts';
export type { BenchClock } from './workbench/bench-clock.ts';

// Print jobs, to look at and to wait for.
export type { BenchJobs, Job } from './workbench/bench-jobs.ts';
export type { JobQuery, NearMiss } from './workbench/job-query.ts';
export { JobWaitExpired } from './workbench/job-wait-expired.ts';

// The room: computers, printers and scales.
export type { BenchComputer, BenchPrinter, BenchScale } from './workbench/bench-devices.ts';
export type { RoomDescription } from './devices/room.ts';

// Events of the service.
export type { EventQuery, WebhookEvent, WebhookInbox } from './workbench/webhook-inbox.ts';

// What the control API answers with.
export type * from './workbench/control-types.ts';

// Errors that say what to do next.
export { ActionableError } from './common/actionable-error.ts';
