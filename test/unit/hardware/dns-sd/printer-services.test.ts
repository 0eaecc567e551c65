import { describe, expect, it } from 'vitest';

import { PRINTER_PROFILES } from '../../../../src/devices/printer/printer-profile.ts';
import { servicesOf } from '../../../../src/hardware/dns-sd/printer-services.ts';
import { printerUuid } from '../../../../src/hardware/ipp/uuid.ts';
import { PrinterOnDesk } from '../../../support/hardware-printer.ts';

const URIS = {
  ipp: 'ipp://127.0.0.1:8632/ipp/print/desk-laser',
  ipps: 'ipps://127.0.0.1:8633/ipp/print/desk-laser',
  raw: 'socket://127.0.0.1:9100',
};

type Keys = Readonly<Record<string, string>>;

async function txtOf(profile: string, uris: Parameters<typeof servicesOf>[1] = URIS): Promise<readonly Keys[]> {
  await using desk = new PrinterOnDesk(profile);
  return servicesOf(desk.hardware, uris).map(({ txt }) =>
    Object.fromEntries(txt.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)])),
  );
}

describe('what is announced of a printer', () => {
  it('is the services that are open, and the type that holds its name', async () => {
    await using desk = new PrinterOnDesk();
    const types = servicesOf(desk.hardware, URIS).map(({ type, port }) => [type, port]);
    expect(types).toEqual([
      ['_ipp._tcp', 8632],
      ['_ipps._tcp', 8633],
      ['_pdl-datastream._tcp', 9100],
      ['_printer._tcp', 0],
    ]);
    const lpd = servicesOf(desk.hardware, { lpd: 'lpd://127.0.0.1:8515/desk-laser' });
    expect(lpd).toMatchObject([{ type: '_printer._tcp', port: 8515 }]);
    expect(lpd[0]?.txt).toContain('rp=desk-laser');
  });

  it('says what the IPP attributes of its profile say', async () => {
    const [ipp, ipps, raw] = await txtOf('laser-a4');
    await using desk = new PrinterOnDesk();
    expect(ipp).toMatchObject({
      txtvers: '1',
      qtotal: '1',
      rp: 'ipp/print/desk-laser',
      ty: desk.hardware.profile.description,
      product: `(${desk.hardware.profile.description})`,
      adminurl: 'https://127.0.0.1:8633/',
      pdl: 'application/octet-stream,application/pdf,image/jpeg,image/pwg-raster,image/urf',
      kind: 'document',
      UUID: printerUuid(desk.hardware).slice('urn:uuid:'.length),
      TLS: '1.3',
      Collate: 'T',
    });
    expect(ipp?.['URF']).toMatch(/^V1\.4,/);
    expect([ipp, ipps, raw].map((keys) => Number(keys?.['priority']))).toEqual([10, 20, 50]);
    expect(raw).not.toHaveProperty('rp');
  });

  it.each(PRINTER_PROFILES.names())(
    'fits into strings of TXT, with flags that follow the profile: %s',
    async (name) => {
      const { capabilities } = PRINTER_PROFILES.load(name);
      const [ipp = {}] = await txtOf(name);
      expect(ipp['Color']).toBe(capabilities?.color ? 'T' : 'F');
      expect(ipp['Duplex']).toBe(capabilities?.duplex ? 'T' : 'F');
      expect(ipp['Copies']).toBe(capabilities?.copies === 1 ? 'F' : 'T');
      expect(ipp['PaperMax']).toMatch(/^(<legal-A4|legal-A4|tabloid-A3|isoC-A2|>isoC-A2)$/);
      for (const [key, value] of Object.entries(ipp))
        expect(Buffer.byteLength(`${key}=${value}`)).toBeLessThanOrEqual(255);
    },
  );
});
