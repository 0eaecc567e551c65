import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { LpdServer } from '../../../../src/hardware/lpd/lpd-server.ts';
import { PrinterOnDesk } from '../../../support/hardware-printer.ts';
import { exchange } from '../../../support/peer.ts';
import { fixtureDocument } from '../../../support/print-room.ts';

const PDF = fixtureDocument('three-pages.pdf');
const CONTROL = 'Hdesk\nPada\nJInvoice 7\nldfA001desk\n';

let desk: PrinterOnDesk;
let lpd: LpdServer;

beforeEach(async () => {
  desk = new PrinterOnDesk();
  lpd = await LpdServer.start({ port: 0 });
  lpd.add('laser', desk.hardware);
});

afterEach(async () => {
  await lpd.close();
  await desk[Symbol.asyncDispose]();
});

const controlFile = [`\x02${CONTROL.length} cfA001desk\n`, `${CONTROL}\0`];

describe('a line printer daemon', () => {
  it('prints a data file under the title and the user of its control file', async () => {
    const printed = desk.printed();
    const answer = await exchange(lpd.port, '\x02laser\n', ...controlFile, `\x03${PDF.length} dfA001desk\n`, PDF, '\0');
    expect([...answer]).toEqual([0, 0, 0, 0, 0]);
    expect(await printed).toMatchObject({
      kind: 'sheets',
      title: 'Invoice 7',
      origin: { protocol: 'lpd', id: 1, user: 'ada' },
    });
  });

  it('takes the data file before the control file, and one of length 0 to the end of the connection', async () => {
    const printed = desk.printed();
    await exchange(lpd.port, '\x02laser\n', '\x030 dfA001desk\n', PDF);
    expect(await printed).toMatchObject({ kind: 'sheets', title: 'LPD 1' });
  });

  it('prints nothing of a job that is cut off', async () => {
    await exchange(lpd.port, '\x02laser\n', `\x03${PDF.length} dfA001desk\n`, PDF.subarray(0, 100)).catch(
      () => undefined,
    );
    await exchange(lpd.port, '\x02laser\n', '\x01\n').catch(() => undefined);
    const printed = desk.printed();
    await exchange(lpd.port, '\x02laser\n', '\x030 dfA001desk\n', PDF);
    await printed;
    expect(desk.printer.printouts()).toHaveLength(1);
  });

  it('reports the state of a queue, in short and at length', async () => {
    desk.printer.fail('media-jam');
    expect((await exchange(lpd.port, '\x03laser\n')).toString()).toBe('Laser is media-jam; 0 waiting\n');
    expect((await exchange(lpd.port, '\x04laser\n')).toString()).toContain('Laser: media-jam\n');
  });

  it.each([
    ['an unknown queue', ['\x02nowhere\n']],
    ['an unknown command', ['\x09laser\n']],
    ['an unknown subcommand', ['\x02laser\n', '\x09\n']],
    ['a length that is not a number', ['\x02laser\n', '\x03much dfA001desk\n']],
    ['a length beyond every bound', ['\x02laser\n', '\x03999999999999 dfA001desk\n']],
    ['a line without an end', ['\x02'.repeat(3_000)]],
  ])('refuses %s with 1', async (_, lines) => {
    const answer = await exchange(lpd.port, ...lines);
    expect(answer.at(-1)).toBe(1);
    expect(desk.printer.printouts()).toEqual([]);
  });
});
