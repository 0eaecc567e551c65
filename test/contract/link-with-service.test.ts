/**
 * The websocket link and the reference service at its other end: they keep to one protocol.
 */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { LinkRequest, LinkSession } from '../../src/link/device-link.ts';
import { webSocketLink } from '../../src/link/websocket-link.ts';
import { jobState, linkComputer, printerNamed, until, type LinkComputer } from '../support/link-computer.ts';
import { FIRST_KEY, runService, type RunningService } from '../support/running-service.ts';
import { ScriptedComputer } from '../support/scripted-computer.ts';

let service: RunningService;
let computer: LinkComputer;
let session: LinkSession;

beforeEach(async () => {
  service = await runService();
  computer = linkComputer();
  const request: LinkRequest = {
    ...computer.request(service.url),
    credential: { kind: 'api-key', key: FIRST_KEY },
  };
  session = await webSocketLink({ clock: service.clock }).open(request);
  await session.reportPrinters([printerNamed('Laser')]);
});

afterEach(async () => {
  await session.close();
  await service[Symbol.asyncDispose]();
});

async function submit(): Promise<number> {
  const body = { printerId: 1, contentType: 'raw_base64', content: 'AAAA' };
  return (await service.call('POST', '/printjobs', { body })).body as number;
}

async function statesOf(jobId: number): Promise<string[]> {
  const answer = await service.call('GET', `/printjobs/${jobId}/states`);
  return (answer.body as { state: string }[][])[0]?.map(({ state }) => state) ?? [];
}

describe('the websocket link with the reference service', () => {
  it('is refused with a wrong key, in the words of the service', async () => {
    const opening = webSocketLink({ clock: service.clock }).open(computer.request(service.url));
    await expect(opening).rejects.toMatchObject({ failure: { reason: 'unauthorized' } });
  });

  it('brings a job to the computer and its states back, once each over a cut', async () => {
    const id = await submit();
    await until('the job', () => computer.jobs.length === 1);
    expect(computer.jobs[0]).toMatchObject({ jobId: id, printerKey: 'Laser', content: 'AAAA' });
    computer.holding = [id];
    await session.reportJobState({ ...jobState('s-1', id), state: 'received' });
    session.cut();
    const done = session.reportJobState(jobState('s-2', id));
    await session.reconnect();
    await done;
    await session.reportJobState(jobState('s-2', id));
    await service.clock.settle();
    expect(await statesOf(id)).toEqual(['new', 'sent_to_client', 'received', 'done']);
    expect(computer.jobs).toHaveLength(1);
  });

  it('gets a job again that it could not take', async () => {
    computer.takeJob = () => Promise.reject(new Error('disk full'));
    const id = await submit();
    await until('the job', () => computer.jobs.length === 1);
    session.cut();
    computer.takeJob = () => Promise.resolve();
    await session.reconnect();
    await until('the job again', () => computer.jobs.length === 2);
    expect(computer.jobs.map((job) => job.jobId)).toEqual([id, id]);
  });

  it('stays connected while the clock makes great jumps', async () => {
    for (const jump of ['14d', '45s', '1d', '30d']) await service.clock.advance(jump);
    expect(session.connected).toBe(true);
    expect(computer.drops).toEqual([]);
  });

  it('keeps its computer id over connections', async () => {
    const { computerId } = session;
    session.cut();
    await session.reconnect();
    expect(session.computerId).toBe(computerId);
  });

  it('learns that its computer was deleted', async () => {
    await service.call('DELETE', '/computers');
    await until('the drop', () => computer.drops.length === 1);
    expect(computer.drops[0]?.reason).toBe('refused');
  });

  it('survives a computer whose garbage fills more than a close reason', async () => {
    await using hostile = await ScriptedComputer.connect(service.url, { installationId: 'hostile' });
    hostile.say({ type: '€'.repeat(80) });
    expect((await hostile.hear('error'))['message']).toContain('unknown message type');
    await session.reportJobState(jobState('s-1', 1));
    expect(session.connected).toBe(true);
  });
});
