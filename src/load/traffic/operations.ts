/**
 * The operations of traffic, by name. A new one is a file, a name in plan/load-scenario.ts and a line here.
 */

import type { OperationName } from '../plan/load-scenario.ts';
import { cancel } from './operations/cancel.ts';
import { listComputers, listJobs, listPrinters } from './operations/page-through.ts';
import { putScale } from './operations/put-scale.ts';
import { job, noop, ping, readScales, states, whoami } from './operations/read.ts';
import { submit } from './operations/submit.ts';
import { subscribeScales } from './operations/subscribe-scales.ts';
import { tags } from './operations/tags.ts';
import { webhooks } from './operations/webhooks.ts';
import type { Operation } from './request-sender.ts';

export const OPERATIONS: Readonly<Record<OperationName, Operation>> = {
  submit,
  cancel,
  job,
  states,
  'list-jobs': listJobs,
  'list-printers': listPrinters,
  'list-computers': listComputers,
  'read-scales': readScales,
  'put-scale': putScale,
  'subscribe-scales': subscribeScales,
  webhooks,
  tags,
  whoami,
  noop,
  ping,
};
