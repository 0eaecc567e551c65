/**
 * The stage of a real load: rooms of virtual computers, receivers of webhooks.
 */

import { ActionableError } from '../common/actionable-error.ts';
import type { ShardStage } from './shard-stage.ts';

export const LOAD_STAGE: ShardStage = {
  openRoom: () => Promise.reject(new ActionableError('harness', 'no rooms yet', '')),
  openWebhooks: () => Promise.reject(new ActionableError('harness', 'no webhooks yet', '')),
};
