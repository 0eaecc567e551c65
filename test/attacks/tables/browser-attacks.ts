/**
 * What a web page may try that a developer happens to open.
 */

import type { Attack, AttackTable } from '../attack.ts';

const FOREIGN_SITES = ['cross-site', 'same-site'];

export const BROWSER_ATTACKS: AttackTable = {
  kind: 'a web page',
  against: 'bench',
  attacks: FOREIGN_SITES.map((site): Attack => ({
    attack: `GET /_platen/jobs with Sec-Fetch-Site: ${site}`,
    expected: '403',
    play: async (bench) => {
      const { status } = await bench.ask('GET', '/_platen/jobs', { headers: { 'sec-fetch-site': site } });
      return String(status);
    },
  })),
};
