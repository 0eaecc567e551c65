import { connect } from 'node:net';

import { expect, platenTest, test } from 'platen/jest';

describe('letters', () => {
  test('are printed', async ({ platen }) => {
    const job = await platen.print('three-pages');
    expect(job).toHaveState('done');
    expect(job).toHaveSheets(3);
    expect(job).not.toHaveSheets(2);
    await expect(job).toHavePrinted('page 3 of 3');
    await expect(job).toMatchSheet('sheets/letter.png');
  });

  test('have accounts of their own', async ({ platen }) => {
    expect(await platen.jobs.list()).toEqual([]);
  });

  test('may be late', async ({ platen }) => {
    await platen.printer('Laser').fault('media-jam', { after: 1 });
    await expect(platen.print('three-pages')).rejects.toThrow('1 of 3 sheets out: Laser has media-jam');
    if (process.env.SHOP_IS_BROKEN) expect((await platen.jobs.list())[0]).toHaveState('error');
  });
});

const alone = platenTest({ room: { computers: [{ name: 'DESK', printers: [{ profile: 'laser-a4' }] }] } });

alone('a room of its own', async ({ platen }) => {
  expect((await platen.printers()).map(({ computer }) => computer)).toEqual(['DESK']);
});

const exposed = platenTest({ expose: { raw: 0 } });

exposed('what a program sends to port 9100', async ({ platen }) => {
  const { hostname, port } = new URL(await platen.printer('Label 4x6').address('raw'));
  connect(Number(port), hostname).end('^XA^FDBox 12^FS^XZ');
  const printout = await platen.printouts.wait({ printer: 'Label 4x6' });
  await expect(printout).toHavePrinted('Box 12');
  await expect(printout).not.toHavePrinted('Box 13');
  await expect(printout).toMatchSheet('sheets/label.png');
});
