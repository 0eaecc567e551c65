/**
 * The tables of attacks, by what a stranger is after.
 */

import type { AttackTable } from './attack.ts';
import { BROWSER_ATTACKS } from './tables/browser-attacks.ts';
import { RECORD_ATTACKS } from './tables/record-attacks.ts';

export const ATTACK_TABLES: readonly AttackTable[] = [BROWSER_ATTACKS, RECORD_ATTACKS];
