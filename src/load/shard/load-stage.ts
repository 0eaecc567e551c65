/**
 * The stage of a real load: rooms of virtual computers, receivers of webhooks.
 */

import { openLoadRoom } from '../room/load-room.ts';
import { openWebhookReceivers } from '../webhooks/webhook-receivers.ts';
import type { ShardStage } from './shard-stage.ts';

export const LOAD_STAGE: ShardStage = { openRoom: openLoadRoom, openWebhooks: openWebhookReceivers };
