/**
 * What the library says of another value in place of an object, as a program in JavaScript may pass it.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { connect, start, type StartedPlaten, type WebhookInbox } from '../../../../src/index.ts';

let platen: StartedPlaten;
let inbox: WebhookInbox;

beforeAll(async () => {
  platen = await start({ port: 0, clock: 'virtual', limits: 'off' });
  const desk = platen.computer('FRONT-DESK');
  await desk.addScale({ profile: 'mettler-ps60', name: 'Counter' });
  inbox = await platen.webhooks.receive();
  await platen.print('invoice');
});
afterAll(async () => {
  await inbox.close();
  await platen.close();
});

/** A value that is no object, though its type says so. */
type Wrong = Record<string, never>;

const ARGUMENTS: readonly (readonly [string, string, (wrong: Wrong) => Promise<unknown>])[] = [
  ['the query of jobs.wait', "{ state: 'done' }", (wrong) => platen.jobs.wait(wrong)],
  ['the second argument of jobs.wait', "{ timeout: '10s' }", (wrong) => platen.jobs.wait({ id: 1 }, wrong)],
  ['the query of printouts.wait', "{ printer: 'Receipt' }", (wrong) => platen.printouts.wait(wrong)],
  ['the second argument of printouts.wait', "{ timeout: '10s' }", (wrong) => platen.printouts.wait({}, wrong)],
  ['the second argument of print', "{ printer: 'Laser' }", (wrong) => platen.print('invoice', wrong)],
  ['the options of print', '{ copies: 2 }', (wrong) => platen.print('invoice', { options: wrong })],
  ['the settings of a fault', "{ for: '10s' }", (wrong) => platen.printer('Laser').fault('media-jam', wrong)],
  ['the settings of a fault', "{ for: '10s' }", (wrong) => platen.scale('Counter').fault('stuck', wrong)],
  ['the settings of a fault', "{ for: '10s' }", (wrong) => platen.computer('FRONT-DESK').fault('drop', wrong)],
  ['the query of an inbox', "{ type: 'print job state' }", (wrong) => inbox.wait(wrong)],
  ['the second argument of wait', "{ timeout: '10s' }", (wrong) => inbox.wait({}, wrong)],
  ['the second argument of reply', '{ times: 1 }', (wrong) => inbox.reply('ok', wrong)],
  ['the second argument of png', '{ width: 400 }', async (wrong) => (await platen.jobs.get(1)).png(1, wrong)],
  ['the argument of accounts.create', "{ room: 'default' }", (wrong) => platen.accounts.create(wrong)],
  ['the argument of start', "{ clock: 'virtual' }", (wrong) => start(wrong)],
  ['the second argument of connect', "{ token: '…' }", (wrong) => connect(platen.url, wrong)],
];

const VALUES = [
  ['done', "'done'"],
  [null, 'null'],
  [['done'], 'a list'],
  [5, '5'],
] as const;

describe.each(ARGUMENTS)('%s must be an object, such as %s', (what, example, call) => {
  it.each(VALUES)('and not %j', async (value, shown) => {
    // The specification allows a job without options.
    if (value === null && what === 'the options of print') return;
    const wrong = JSON.parse(JSON.stringify(value)) as Wrong;
    await expect(call(wrong)).rejects.toThrow(`${what} must be an object, such as ${example}, not ${shown}`);
    expect(await platen.faults.list()).toEqual([]);
  });
});
