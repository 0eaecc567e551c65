import { connect } from 'node:net';
import { once } from 'node:events';

import { describe, expect, it } from 'vitest';

import { start } from '../../../../src/workbench/start.ts';
import type { Platen } from '../../../../src/workbench/library/platen.ts';
import { rawPrint } from '../../../support/raw-print.ts';

const ROOM = {
  computers: [
    {
      name: 'TILL',
      printers: [
        { profile: 'receipt-80mm', name: 'Receipt' },
        { profile: 'label-4x6', name: 'Label' },
      ],
    },
  ],
} as const;

async function send(platen: Platen, printer: string, bytes: string): Promise<void> {
  await rawPrint(await platen.printer(printer).address('raw'), bytes);
}

describe('what a program prints past the service', () => {
  it('is waited for, with its text and its picture, and the next one after it', async () => {
    await using platen = await start({ port: 0, clock: 'virtual', room: ROOM, expose: { raw: 0 } });
    await send(platen, 'Receipt', 'Total 4.20\n');
    const first = await platen.printouts.wait({ printer: 'Receipt', protocol: 'raw' });
    expect([await first.text(), first.sides]).toEqual(['Total 4.20', 1]);
    expect(Buffer.from(await first.png()).toString('latin1', 1, 4)).toBe('PNG');
    const next = platen.printouts.wait({ after: first.id });
    await send(platen, 'Label', '^XA^FDBox^FS^XZ');
    await send(platen, 'Receipt', 'Total 1.00\n');
    expect(await (await next).text()).toBe('Total 1.00');
    expect(await (await platen.printouts.wait({ printer: 'Label' })).raw()).toEqual(Buffer.from('^XA^FDBox^FS^XZ'));
    expect(await platen.printer('Label').state()).toMatchObject({ lastPrintoutId: 'raw.1.printer-2.1' });
    expect((await platen.printouts.list()).map(({ printer }) => printer)).toEqual(['Receipt', 'Receipt', 'Label']);
  });

  it('says what is not on its picture, and why it has none', async () => {
    await using platen = await start({ port: 0, clock: 'virtual', room: ROOM, expose: { raw: 0 } });
    await send(platen, 'Receipt', 'Total 4.20\n\x1bY\n');
    const receipt = await platen.printouts.wait({ printer: 'Receipt' });
    expect(receipt.notDrawn).toContain('at byte 11');
    await send(platen, 'Label', '^XA^B0N,5^FDAztec^FS^XZ');
    const label = await platen.printouts.wait({ printer: 'Label' });
    await expect(label.png()).rejects.toThrow('the printout has no such part; not drawn: ');
  });

  it.each([
    ['^XA^FDnever ends^FS', 'zpl, 0 labels; its last label is not ended by ^XZ'],
    ['N\nA50,50,0,3,1,1,N,"EPL"\nP1\n', 'epl, 1 label; labels are counted by P'],
    ['Hello\n', 'text, 1 page'],
    ['\0\x01\x02\x03', 'unknown'],
  ])('says what it is that has no picture: %j', async (bytes, what) => {
    await using platen = await start({ port: 0, clock: 'virtual', room: ROOM, expose: { raw: 0 } });
    await send(platen, 'Label', bytes);
    const label = await platen.printouts.wait({ printer: 'Label' });
    expect([label.sides, label.notDrawn]).toEqual([0, expect.stringContaining(what)]);
    await expect(label.png()).rejects.toThrow(`; not drawn: ${what}`);
  });

  it('that does not come is told with what came closest, and with what holds it', async () => {
    await using platen = await start({ port: 0, clock: 'virtual', room: ROOM, expose: { raw: 0 } });
    const wait = (printer: string): Promise<unknown> => platen.printouts.wait({ printer }, { timeout: '300ms' });
    await expect(wait('Receipt')).rejects.toThrow('waited 300ms for a printout; last seen: nothing came out');
    await send(platen, 'Label', '^XA^FDBox^FS^XZ');
    await expect(wait('Receipt')).rejects.toThrow(
      'last seen: raw.1.printer-2.1, but it came out of Label, not Receipt',
    );
    await platen.printer('Receipt').fault('media-empty');
    await send(platen, 'Receipt', 'Total\n');
    await expect(wait('Receipt')).rejects.toThrow('; Receipt has media-empty');
    await expect(wait('Receipt')).rejects.toMatchObject({ name: 'PrintoutWaitExpired' });
    await expect(platen.printouts.wait({ after: 'raw.9' })).rejects.toThrow("there is no printout 'raw.9'");
    await expect(platen.printouts.wait({ printre: 'Receipt' } as object)).rejects.toThrow('printre');
  });

  it('on the printers of an account is its own, and their ports close with it', async () => {
    await using platen = await start({ port: 0, clock: 'virtual', room: 'none', expose: { raw: 0, ipp: 0 } });
    const [one, other] = [await platen.accounts.create({ room: ROOM }), await platen.accounts.create({ room: ROOM })];
    await send(one, 'Receipt', 'One\n');
    expect(await (await one.printouts.wait()).text()).toBe('One');
    expect(await other.printouts.list()).toEqual([]);
    const { port } = new URL(await one.printer('Receipt').address('raw'));
    await one.close();
    await expect(once(connect(Number(port), '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED');
    await platen.reset();
  });

  it('needs a printer with an address', async () => {
    await using platen = await start({ port: 0, clock: 'virtual', room: ROOM });
    await expect(platen.printer('Receipt').address('raw')).rejects.toThrow("printer 'Receipt' has no address for raw");
  });
});
