import { describe, expect, it } from 'vitest';

import { ensureProgramsFit } from '../../../../src/load/plan/program-room.ts';
import { loadScenario, shops } from '../../../support/load-scenario.ts';

describe('a room whose computers are run by a client program', () => {
  it('is as large as the print systems that a machine carries', () => {
    expect(() => ensureProgramsFit(loadScenario({ computers: shops(16) }), 2)).not.toThrow();
    expect(() => ensureProgramsFit(loadScenario({ computers: shops(17) }), 2)).toThrow(
      'this machine carries 16 computers and 100 printers',
    );
  });

  it('has no scales, and says why and what to do', () => {
    const [shop] = shops(1);
    if (!shop) throw new Error('no shop');
    const computers = [{ ...shop, template: { ...shop.template, scales: [{ profile: 'dymo-m25' }] } }];
    expect(() => ensureProgramsFit(loadScenario({ computers }))).toThrow(
      `${shop.template.name} has scales, and the client programs of a load share the USB bus of this machine`,
    );
  });
});
