/**
 * The library: the same examples over a workbench in this process and over one that is connected to.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { connect, JobWaitExpired, start, type Platen, type StartedPlaten } from '../../../../src/index.ts';
import { printRequest } from '../../../support/print-request.ts';

describe.each(['start', 'connect'] as const)('%s()', (way) => {
  let workbench: StartedPlaten;
  let platen: Platen;

  beforeAll(async () => {
    workbench = await start({ port: 0, clock: 'virtual', limits: 'off' });
    platen = way === 'start' ? workbench : await connect(`${workbench.url}/`);
  });
  afterAll(async () => {
    if (way === 'connect') await platen.close();
    await workbench.close();
  });

  it('knows the address and the key', () => {
    expect([platen.url, platen.apiKey]).toEqual([workbench.url, workbench.apiKey]);
    expect(platen.clock.isVirtual).toBe(true);
  });

  it('waits for a job and looks into it', async () => {
    const id = await printRequest(platen, { printerId: 1, title: 'Invoice 12', options: { pages: '2-3' } });
    const job = await platen.jobs.wait({ title: /^invoice \d+$/i, state: 'done' });
    expect(job).toMatchObject({ id, title: 'Invoice 12', printer: { name: 'Laser' }, sides: 2 });
    expect(job.sheets.map(({ sides }) => sides.map(({ pages }) => pages))).toEqual([[[2]], [[3]]]);
    expect(await job.text()).toContain('page 3 of 3');
    expect(await job.text(1)).toContain('page 2 of 3');
    await expect(job.text(3)).rejects.toThrow('no side 3');
    expect(
      Buffer.from(await job.png(1, { width: 100 }))
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    expect(
      Buffer.from(await job.pdf())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    expect(
      Buffer.from(await job.document())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    expect(job.timeline.map(({ state }) => state)).toEqual(expect.arrayContaining(['new', 'done']));
    expect(await platen.jobs.list('invoice printer:laser state:done text:"page 3"')).toHaveLength(1);
    expect(await platen.jobs.list('text:"page 1 of"')).toHaveLength(0);
    const again = await job.printAgain();
    expect((await platen.jobs.wait({ id: again, state: 'done' })).sheets).toHaveLength(2);
  });

  it('says which job came closest when none fits', async () => {
    const wait = platen.jobs.wait({ title: 'Invoice', state: 'error' }, { timeout: '1h' });
    await expect(wait).rejects.toThrow(JobWaitExpired);
    await expect(wait).rejects.toThrow(/waited 1h for a print job; the closest is job \d+: it is done, not error/);
    await expect(wait).rejects.toMatchObject({ closest: [{ job: { state: 'done' } }, expect.anything()] });
  });

  it('jams a printer and clears it', async () => {
    const laser = platen.printer('Laser');
    await laser.fault('media-jam');
    expect(await laser.state()).toMatchObject({
      state: 'error',
      reasons: ['media-jam'],
      profile: 'laser-a4',
    });
    const id = await printRequest(platen, { printerId: await laser.id() });
    await platen.jobs.wait({ id, state: 'done' });
    expect((await platen.jobs.get(id)).sheets).toHaveLength(0);
    expect(await laser.state()).toMatchObject({ jobsHeld: 1 });
    await laser.clear();
    expect((await platen.jobs.get(id)).sheets).toHaveLength(3);
    expect(await platen.faults.list()).toEqual([]);
  });

  it('switches a printer', async () => {
    const laser = platen.printer('Laser', 'FRONT-DESK');
    await laser.change({ online: false, cover: 'open', toner: 'low', jam: true });
    expect((await laser.state()).reasons).toEqual(['offline', 'cover-open', 'media-jam', 'toner-low']);
    expect(await laser.state()).toMatchObject({ online: false, state: 'offline' });
    await laser.change({ online: true, cover: 'closed', toner: 'empty', jam: false });
    expect((await laser.state()).reasons).toEqual(['toner-empty']);
    await laser.change({ toner: 'full' });
    expect(await platen.faults.list()).toEqual([]);
    await laser.loadPaper('Tray1', 2);
    expect((await laser.state()).trays).toContainEqual({ name: 'Tray1', sheets: 2, capacity: null });
    expect(await laser.capabilities()).toMatchObject({ bins: expect.arrayContaining(['Tray1']) });
  });

  it('names what there is where a name is wrong', async () => {
    await expect(platen.printer('Lasr').state()).rejects.toThrow(
      "the room has no printer 'Lasr'. It has 'Laser', 'Label 4x6'",
    );
    await expect(platen.scale('Balance').put('1 g')).rejects.toThrow("the room has no scale 'Balance'");
    await expect(platen.computer('ATTIC').connect()).rejects.toThrow("the room has no computer 'ATTIC'");
    await expect(platen.jobs.get(4711)).rejects.toThrow('there is no job 4711');
  });

  it('wants to know which is meant where two have one name', async () => {
    const near = await platen.addComputer({
      name: 'NEAR',
      printers: [{ profile: 'laser-a4', name: 'Twin' }],
      scales: [{ profile: 'mettler-ps60', name: 'Pan' }],
    });
    const far = await platen.addComputer({
      name: 'FAR',
      printers: [{ profile: 'laser-a4', name: 'Twin' }],
      scales: [{ profile: 'mettler-ps60', name: 'Pan' }],
    });
    const printers = "there are 2 printers 'Twin': on NEAR, FAR. Name its computer";
    await expect(platen.printer('Twin').id()).rejects.toThrow(`${printers}: printer('Twin', 'NEAR').`);
    await expect(platen.printer('Twin').fault('media-jam')).rejects.toThrow(printers);
    await expect(platen.faults.add({ at: 'printer/Twin', fault: 'media-jam' })).rejects.toThrow('there are 2 printers');
    await expect(platen.print('invoice', { printer: 'Twin' })).rejects.toThrow(printers);
    await expect(platen.scale('Pan').put('1 g')).rejects.toThrow("there are 2 scales 'Pan': on NEAR, FAR");
    await platen.printer('Twin', 'FAR').fault('media-jam');
    expect(await platen.printer('Twin', 'NEAR').state()).toMatchObject({ reasons: [] });
    expect(await platen.printer('Twin', 'FAR').state()).toMatchObject({ reasons: ['media-jam'] });
    await platen.printer('Twin', 'FAR').clear();
    expect(await platen.printer('Twin', 'FAR').state()).toMatchObject({ reasons: [] });
    const job = await platen.print('invoice', { printer: 'Twin', computer: 'FAR' });
    expect(job.computer.name).toBe('FAR');
    await near.remove();
    await far.remove();
  });

  it('furnishes the room, and weighs', async () => {
    const shop = await platen.addComputer({ name: 'Shop 1/2', printers: [{ profile: 'label-4x6' }] });
    const scale = await shop.addScale({ profile: 'mettler-ps60' });
    await scale.put('1.5 kg');
    expect(await scale.settled()).toMatchObject({ stable: true, on: true, grams: 1_500 });
    await scale.unplug();
    expect(await scale.state()).toMatchObject({ on: false, massText: '' });
    const printer = await shop.addPrinter({ profile: 'laser-a4', name: 'Second "Laser"' });
    expect(await printer.id()).toBeGreaterThan(0);
    await printer.remove();
    await shop.disconnect();
    expect(await shop.state()).toMatchObject({ connected: false });
    await shop.connect();
    await shop.sleep();
    expect(await shop.state()).toMatchObject({ connected: false, asleep: true });
    await shop.wake();
    expect(await shop.state()).toMatchObject({ connected: true, asleep: false });
    await shop.crash();
    await platen.clock.advance('10s');
    expect(await shop.state()).toMatchObject({ connected: true });
    await shop.remove();
    expect((await platen.room()).computers.map(({ name }) => name)).toEqual(['FRONT-DESK', 'BACK-OFFICE']);
  });

  it('moves the clock', async () => {
    const beganMs = await platen.clock.now();
    await platen.clock.advance('14d');
    expect((await platen.clock.now()) - beganMs).toBe(14 * 86_400_000);
    await expect(platen.clock.advance('soon')).rejects.toThrow("'soon' is not a duration");
  });

  it.each(['5', '1.5'])('wants a unit where the clock is moved, not a bare %s', async (bare) => {
    const beganMs = await platen.clock.now();
    const complaint = `'${bare}' is not a duration; write for example 250ms, 45s, 1h30m or 14d`;
    // @ts-expect-error -- as a program in JavaScript writes it
    await expect(platen.clock.advance(Number(bare))).rejects.toThrow(complaint);
    await expect(platen.clock.advance(bare)).rejects.toThrow(complaint);
    expect(await platen.clock.now()).toBe(beganMs);
  });

  it('refuses to let centuries pass', async () => {
    const beganMs = await platen.clock.now();
    const tooLong = "'99999999d' is too long: it must be at most 366d";
    await using inbox = await platen.webhooks.receive();
    await expect(platen.clock.advance('99999999d')).rejects.toThrow(tooLong);
    await expect(platen.jobs.wait({ title: 'None' }, { timeout: '99999999d' })).rejects.toThrow(tooLong);
    await expect(inbox.wait({ type: 'none' }, { timeout: '99999999d' })).rejects.toThrow(tooLong);
    expect(await platen.clock.now()).toBe(beganMs);
  });

  it('takes a timeout in milliseconds', async () => {
    await expect(platen.jobs.wait({ title: 'None' }, { timeout: 1_500 })).rejects.toThrow('waited 1.5s');
  });

  it('refuses to wait for a state that no job can have', async () => {
    const state = JSON.parse('"dun"') as 'done';
    const complaint = "there is no state 'dun'; there are new, sent_to_client, done";
    await expect(platen.jobs.wait({ state })).rejects.toThrow(complaint);
    await expect(platen.jobs.wait({ state: ['error', state] })).rejects.toThrow(complaint);
    const near = JSON.parse('"expird"') as 'expired';
    await expect(platen.jobs.wait({ state: near })).rejects.toThrow("'expird'; did you mean 'expired'?");
  });

  it('receives webhooks, and lets a receiver fail', async () => {
    await using inbox = await platen.webhooks.receive(['print job state']);
    await inbox.reply('status 500', { times: 1 });
    const id = await printRequest(platen, { printerId: 1 });
    const event = await inbox.wait({ jobId: id, state: 'done' }, { timeout: '30s' });
    expect(event).toMatchObject({ type: 'print job state', data: { printJobId: id, state: 'done' } });
    const deliveries = await platen.deliveries();
    expect(deliveries[0]).toMatchObject({ status: 500, outcome: 'will-retry', okHeader: true });
    expect((await platen.jobs.get(id)).timeline.map(({ what }) => what)).toContain('webhook');
    await expect(inbox.wait({ state: 'expired' }, { timeout: '1s' })).rejects.toThrow(
      /waited 1s for an event like .*; these have come: print job state/,
    );
  });

  it('refuses misspelt replies and keys of a receiver', async () => {
    await using inbox = await platen.webhooks.receive();
    // @ts-expect-error -- as a program in JavaScript writes it
    await expect(inbox.reply('stauts 503')).rejects.toThrow(
      "there is no reply 'stauts 503'; did you mean 'status 503'?",
    );
    await printRequest(platen, { printerId: 1 });
    // @ts-expect-error -- as a program in JavaScript writes it
    await expect(inbox.wait({ typ: 'print job state' })).rejects.toThrow("'typ'; did you mean 'type'?");
  });

  it('says which computers there are', async () => {
    const state = platen.computer('FRONTDESK').state();
    await expect(state).rejects.toThrow("no computer 'FRONTDESK'. It has 'FRONT-DESK', 'BACK-OFFICE'.");
  });

  it('keeps isolated accounts apart, and takes them away', async () => {
    const before = await platen.accounts.list();
    {
      await using one = await platen.accounts.create();
      await using other = await platen.accounts.create({ room: 'none' });
      await printRequest(one, { printerId: await one.printer('Laser').id(), title: 'Mine' });
      await one.jobs.wait({ title: 'Mine', state: 'done' });
      expect(await other.jobs.list()).toEqual([]);
      expect(await other.printers()).toEqual([]);
      expect(await platen.jobs.list('mine')).toEqual([]);
      await one.printer('Laser').fault('offline');
      expect((await platen.printer('Laser').state()).online).toBe(true);
      await one.reset();
      expect(await one.jobs.list()).toEqual([]);
      expect((await one.printer('Laser').state()).online).toBe(true);
      expect((await one.requests()).every(({ accountId }) => accountId === one.accountId)).toBe(true);
    }
    expect(await platen.accounts.list()).toEqual(before);
  });

  it('resets everything', async () => {
    await platen.reset();
    expect(await platen.jobs.list()).toEqual([]);
    expect((await platen.printers()).map(({ name }) => name)).toContain('Office MFP');
    expect(await platen.requests()).toEqual([]);
  });
});

it('says of everything that is asked after the end that the workbench is closed', async () => {
  const workbench = await start({ port: 0, clock: 'virtual' });
  const account = await workbench.accounts.create();
  const job = await workbench.print('invoice');
  await account.close();
  await expect(account.room()).rejects.toThrow(`account ${account.accountId} of the workbench is closed`);
  await workbench.close();
  const calls = [
    () => workbench.jobs.list(),
    () => workbench.print('invoice'),
    () => workbench.clock.advance('1h'),
    () => workbench.printer('Laser').fault('media-jam'),
    () => workbench.computer('FRONT-DESK').connect(),
    () => workbench.webhooks.receive(),
    () => workbench.accounts.create(),
    () => workbench.reset(),
    () => job.text(),
  ];
  for (const call of calls) await expect(call()).rejects.toThrow(/^the workbench is closed$/);
  const nextStep = expect.stringContaining('A call that was not awaited ends like this as well');
  await expect(workbench.jobs.list()).rejects.toMatchObject({ nextStep });
  expect(() => workbench.restartService()).toThrow('the workbench is closed');
  // Once more changes nothing.
  await workbench.close();
});

it('says that no workbench answers, and what to do', async () => {
  await expect(connect('http://127.0.0.1:9')).rejects.toMatchObject({
    message: expect.stringContaining('no workbench answers at http://127.0.0.1:9'),
    nextStep: expect.stringContaining('platen start'),
  });
});
