/**
 * The tables of attacks, by what a stranger is after.
 */

import type { AttackTable } from './attack.ts';
import { BROWSER_ATTACKS } from './tables/browser-attacks.ts';
import { DATA_FILE_ATTACKS } from './tables/data-file-attacks.ts';

export const ATTACK_TABLES: readonly AttackTable[] = [BROWSER_ATTACKS, DATA_FILE_ATTACKS];
