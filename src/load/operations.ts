/**
 * The operations that scenarios can do, by name.
 */

import { listWebhooks, noop, ping, readScales, states, whoami } from './operations/get.ts';
import type { Operation } from './operations/operation.ts';
import { listComputers, listJobs, listPrinters } from './operations/page-through.ts';
import { putScale } from './operations/put-scale.ts';
import { scaleFeed } from './operations/scale-feed.ts';
import { tags } from './operations/tags.ts';
import { webhooks } from './operations/webhooks.ts';

export const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  [
    states,
    listJobs,
    listPrinters,
    listComputers,
    readScales,
    putScale,
    scaleFeed,
    listWebhooks,
    webhooks,
    tags,
    whoami,
    noop,
    ping,
  ].map((operation) => [operation.name, operation]),
);
