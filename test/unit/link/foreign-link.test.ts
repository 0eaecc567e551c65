import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { DeviceLink, LinkRequest } from '../../../src/link/device-link.ts';
import { loadForeignLink } from '../../../src/link/foreign-link.ts';
import { jobMessage, linkComputer } from '../../support/link-computer.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-link-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let modules = 0;

function moduleWith(text: string): string {
  const file = path.join(folder, `link-${++modules}.mjs`);
  writeFileSync(file, text);
  return file;
}

function loaded(text: string): Promise<DeviceLink> {
  return loadForeignLink(moduleWith(text));
}

const SESSION = `{
  computerId: 7, connected: true,
  reportPrinters() { throw new Error('no paper today'); },
  reportScales() {}, async reportJobState() {}, async publishReading() {}, async reconnect() {},
  pause() {}, resume() {}, cut() {}, async close() {},
}`;

function request(events: Partial<LinkRequest['events']> = {}): LinkRequest {
  const asked = linkComputer().request('http://127.0.0.1:1');
  return { ...asked, events: { ...asked.events, ...events } };
}

describe('a link of the user', () => {
  it.each([
    ['that is not there', () => 'no-such-link.ts', /there is no module no-such-link\.ts/],
    ['with a mistake in it', () => moduleWith('export const link = ;'), /cannot be loaded: ./],
    [
      'that imports a missing package',
      () => moduleWith("import 'no-such-package';"),
      /cannot be loaded: .*no-such-package/,
    ],
    [
      'without a link',
      () => moduleWith('export const wire = 1; export default 2;'),
      /exports no 'link'; it exports default, wire/,
    ],
    ['that exports nothing', () => moduleWith(''), /exports no 'link'; it exports nothing/],
    ['whose link is not a link', () => moduleWith('export const link = () => 1;'), /has no method open\(\)/],
  ])('%s is refused with what is wrong', async (_, file, message) => {
    await expect(loadForeignLink(file())).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringMatching(message),
      nextStep: expect.stringContaining('docs/device-link.md'),
    });
  });

  it('that opens half a session learns what the session lacks', async () => {
    const link = await loaded('export const link = { open: () => ({ computerId: "7", close() {} }) };');
    await expect(link.open(request())).rejects.toMatchObject({
      name: 'LinkError',
      failure: {
        reason: 'protocol',
        message: expect.stringMatching(/has no reportPrinters\(\), .*, cut\(\), computerId, an integer, connected/),
      },
    });
  });

  it('that opens nothing learns that', async () => {
    const link = await loaded('export const link = { open() {} };');
    await expect(link.open(request())).rejects.toThrow('has no reportPrinters()');
  });

  it('may throw anything', async () => {
    const link = await loaded('export const link = { open() { throw "the moon is in the way"; } };');
    await expect(link.open(request())).rejects.toMatchObject({
      name: 'LinkError',
      failure: { reason: 'closed', message: 'the moon is in the way' },
    });
  });

  it('says why with a failure of its own', async () => {
    const link = await loaded(
      "export const link = { async open() { throw Object.assign(new Error('no'), { failure: { reason: 'unauthorized', message: 'bad key' } }); } };",
    );
    await expect(link.open(request())).rejects.toMatchObject({
      failure: { reason: 'unauthorized', message: 'bad key' },
    });
  });

  it('has a session whose methods reject where they throw, and may return nothing', async () => {
    const session = await (await loaded(`export const link = { open: () => (${SESSION}) };`)).open(request());
    expect([session.computerId, session.connected]).toEqual([7, true]);
    await expect(session.reportPrinters([])).rejects.toMatchObject({
      name: 'LinkError',
      message: 'no paper today',
    });
    await session.reportScales([]);
    await session.close();
  });

  it('that delivers something else than a job learns which field is wrong, and the computer hears nothing', async () => {
    const heard: unknown[] = [];
    const link = await loaded(
      `export const link = { async open({ events }) { await events.onJob({ jobId: 'x' }); return ${SESSION}; } };`,
    );
    const onJob = async (job: unknown): Promise<void> => void heard.push(job);
    await expect(link.open(request({ onJob }))).rejects.toThrow(/delivered an invalid job: jobId: /);
    expect(heard).toEqual([]);
  });

  it('hands over jobs, refreshes and drops, even a drop without a reason', async () => {
    const heard: unknown[] = [];
    const { type: _type, id: _id, ...job } = jobMessage(5);
    const link = await loaded(
      `export const link = { async open({ events }) { await events.onJob(${JSON.stringify(job)}); events.onRefresh(); events.onDrop(); return ${SESSION}; } };`,
    );
    await link.open(
      request({
        onJob: async (given) => void heard.push(given),
        onRefresh: () => heard.push('refresh'),
        onDrop: (failure) => heard.push(failure.reason),
      }),
    );
    expect(heard).toEqual([job, 'refresh', 'closed']);
  });
});
