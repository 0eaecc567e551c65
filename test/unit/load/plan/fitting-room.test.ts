import { describe, expect, it } from 'vitest';

import type { LoadScenario } from '../../../../src/load/plan/load-scenario.ts';
import type { ChaosEventName } from '../../../../src/record/words.ts';
import { ensureProgramsFit, ensureSeen } from '../../../../src/load/plan/fitting-room.ts';
import { loadScenario, loadStream, plainLoad, shops, submissions } from '../../../support/load-scenario.ts';

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

describe('a load without computers that connect', () => {
  const printing = plainLoad({ streams: [loadStream(), submissions('jobs', 0, 1, 1_000)] });

  it('needs nothing for streams that submit nothing', () => {
    expect(() => ensureSeen(plainLoad({ chaos: [event('service-killed')] }), undefined)).not.toThrow();
  });

  it('submits to a printer of the account, and says so where there is none', () => {
    expect(() => ensureSeen(printing, 'Office')).not.toThrow();
    expect(() => ensureSeen(printing, undefined)).toThrow(
      "the stream 'jobs' submits jobs, and the service has no link",
    );
    expect(() => ensureSeen({ ...printing, accounts: 2 }, 'Office')).toThrow(
      "the load has 2 accounts, and the printer 'Office' of one of them",
    );
  });

  it.each(['job.whole.p99 <= 10s', 'ledger.duplicated == 0', 'ledger.wrong-bytes == 0'])(
    'refuses the threshold %s, which nobody could measure',
    (text) => {
      expect(() => ensureSeen({ ...printing, thresholds: [text] }, 'Office')).toThrow(`'${text}' measures what`);
    },
  );

  it.each(['ledger.lost == 0', 'ledger.bad == 0', 'job.accept.p99 <= 1s', 'jobs.errors == 0'])('keeps %s', (text) => {
    expect(() => ensureSeen({ ...printing, thresholds: [text] }, 'Office')).not.toThrow();
  });

  it('refuses chaos that hits computers', () => {
    expect(() => ensureSeen(plainLoad({ chaos: [event('power-cut')] }), 'Office')).toThrow('power-cut hits computers');
  });
});

function event(what: ChaosEventName): LoadScenario['chaos'][number] {
  return { what, atMs: 100, share: 1, forMs: 100, withinMs: 100 };
}
