/**
 * The stage of a real load: rooms of virtual computers, receivers of webhooks.
 */

import { openLoadRoom } from '../room/load-room.ts';
import { openWebhookDesk } from '../webhooks/webhook-desk.ts';
import type { ShardStage } from './shard-stage.ts';

export const LOAD_STAGE: ShardStage = { openRoom: openLoadRoom, openWebhooks: openWebhookDesk };
