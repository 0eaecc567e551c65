/**
 * The tables of attacks, by what a stranger is after.
 */

import type { AttackTable } from './attack.ts';
import { BROWSER_ATTACKS } from './tables/browser-attacks.ts';
import { FILE_ATTACKS } from './tables/file-attacks.ts';
import { SIGNAL_ATTACKS } from './tables/signal-attacks.ts';

export const ATTACK_TABLES: readonly AttackTable[] = [BROWSER_ATTACKS, FILE_ATTACKS, SIGNAL_ATTACKS];
