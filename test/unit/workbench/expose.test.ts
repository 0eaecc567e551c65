import { describe, expect, it } from 'vitest';

import { decodeMessage, encodeMessage } from '../../../src/hardware/ipp/codec.ts';
import { nameText, stringOf, strings, uri } from '../../../src/hardware/ipp/attribute.ts';
import { OPERATIONS, type OperationName } from '../../../src/hardware/ipp/operations.ts';
import { start, type StartedPlaten } from '../../../src/workbench/start.ts';
import { fixtureDocument } from '../../support/print-room.ts';

async function ask(
  printerUri: string,
  operation: OperationName,
  document: Uint8Array = new Uint8Array(),
): Promise<string[]> {
  const body = encodeMessage({
    version: { major: 2, minor: 0 },
    code: OPERATIONS[operation],
    requestId: 1,
    groups: [
      {
        type: 'operation',
        attributes: [
          strings('charset', 'attributes-charset', ['utf-8']),
          strings('naturalLanguage', 'attributes-natural-language', ['en']),
          uri('printer-uri', printerUri),
          nameText('requesting-user-name', 'ada'),
          nameText('job-name', 'Invoice 7'),
        ],
      },
    ],
    data: document,
  });
  const headers = { 'content-type': 'application/ipp' };
  const answer = await fetch(printerUri.replace('ipp:', 'http:'), {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
  });
  const { groups } = decodeMessage(new Uint8Array(await answer.arrayBuffer()));
  return groups.flatMap(({ attributes }) => attributes.flatMap((one) => stringOf(one) ?? []));
}

function laserOf(platen: StartedPlaten): Readonly<Record<string, string | undefined>> {
  return platen.hardware().find(({ name }) => name === 'Laser')?.uris ?? {};
}

async function control(platen: StartedPlaten, path: string): Promise<Response> {
  return fetch(`${platen.url}/_platen${path}`);
}

describe('a workbench whose room is exposed', () => {
  it('lists what an operating system printed, with its sheets, and not among the jobs of the service', async () => {
    await using platen = await start({ port: 0, expose: { ipp: 0 } });
    await ask(laserOf(platen)['ipp'] ?? '', 'Print-Job', fixtureDocument('three-pages.pdf'));
    let printouts: unknown[] = [];
    await expect
      .poll(
        async () => {
          printouts = (await (await control(platen, '/printouts')).json()) as unknown[];
          return printouts.length;
        },
        { timeout: 10_000 },
      )
      .toBe(1);
    expect(printouts).toMatchObject([
      {
        id: 'ipp.1.printer-1.1',
        protocol: 'ipp',
        printer: 'Laser',
        title: 'Invoice 7',
        user: 'ada',
        sides: 3,
        complete: true,
      },
    ]);
    const png = await control(platen, '/printouts/ipp.1.printer-1.1/sheets/3.png');
    expect([png.status, png.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect((await control(platen, '/printouts/ipp.1.printer-1.1/sheets/4.png')).status).toBe(404);
    expect((await control(platen, '/printouts/ipp.1.printer-1.9/sheets.pdf')).status).toBe(404);
    expect(await platen.jobs.list()).toEqual([]);
  });

  it('says the addresses of a printer in the view of the room', async () => {
    await using platen = await start({ port: 0, expose: { ipp: 0, raw: 0 } });
    const [computer] = (await platen.room()).computers;
    expect(computer?.printers[0]?.addresses).toEqual(laserOf(platen));
  });

  it('keeps the addresses of its printers over a reset, and gives a new printer its own', async () => {
    await using platen = await start({ port: 0, expose: { ipp: 0, raw: 0, lpd: 0 } });
    const before = laserOf(platen);
    await platen.reset();
    expect(laserOf(platen)).toEqual(before);
    expect(await ask(before['ipp'] ?? '', 'Get-Printer-Attributes')).toContain('Laser');
    await platen.addComputer({ name: 'ANNEX', printers: [{ profile: 'label-4x6', name: 'Labels' }] });
    expect(platen.hardware().map(({ name }) => name)).toContain('Labels');
  });

  it('closes its ports with the workbench', async () => {
    const platen = await start({ port: 0, expose: { ipp: 0 } });
    const { ipp = '' } = laserOf(platen);
    await platen.close();
    await expect(ask(ipp, 'Get-Printer-Attributes')).rejects.toThrow('fetch failed');
  });

  it('does not start when a port is taken', async () => {
    await using platen = await start({ port: 0, expose: { ipp: 0 } });
    const port = Number(new URL((laserOf(platen)['ipp'] ?? '').replace('ipp:', 'http:')).port);
    await expect(start({ port: 0, expose: { ipp: port } })).rejects.toThrow(`port ${port} for ipp is in use`);
  });
});
