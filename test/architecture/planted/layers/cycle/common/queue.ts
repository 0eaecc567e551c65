import { Worker } from 'node:worker_threads';

import { siblingModule } from './sibling-module.ts';

export const worker = new Worker(siblingModule(import.meta.url, 'queue-worker'));
