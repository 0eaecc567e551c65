/**
 * The stage of a real load: rooms of virtual computers, receivers of webhooks.
 */

import { openLoadRoom } from './load-room.ts';
import type { ShardStage } from './shard-stage.ts';
import { openWebhookDesk } from './webhook-desk.ts';

export const LOAD_STAGE: ShardStage = { openRoom: openLoadRoom, openWebhooks: openWebhookDesk };
