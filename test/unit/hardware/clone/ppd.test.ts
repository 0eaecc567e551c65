import { describe, expect, it } from 'vitest';

import { PRINTER_PROFILES } from '../../../../src/devices/printer/printer-profile.ts';
import { cloneOfPpd } from '../../../../src/hardware/clone/ppd.ts';

const PPD = `*PPD-Adobe: "4.3"
*ModelName: "Acme LaserStar 7"
*NickName: "Acme LaserStar 7, driverless"
*ColorDevice: True
*OpenUI *PageSize/Media Size: PickOne
*DefaultPageSize: Letter
*PageSize A4/A4 (210 x 297 mm): "<</PageSize[595 842]>>setpagedevice"
*PageSize Letter/US Letter: "<</PageSize[612 792]
  >>setpagedevice"
*End
*CloseUI: *PageSize
*PaperDimension A4/A4: "595 842"
*PaperDimension Letter/US Letter: "612 792"
*DefaultInputSlot: Tray2
*InputSlot Tray1/Tray 1: "0"
*InputSlot Tray2/Tray 2: "1"
*MediaType Plain: ""
*DefaultResolution: 600dpi
*Resolution 600dpi/600 DPI: ""
*Resolution 1200x600dpi/Fine: ""
*DefaultDuplex: DuplexNoTumble
*Duplex None/Off: ""
*Duplex DuplexNoTumble/Long edge: ""
`;

describe('the clone of a driver', () => {
  it('has the options of its PPD file, by the names that people read', () => {
    const clone = cloneOfPpd(PPD, 'star.ppd');
    expect(clone).toMatchObject({
      name: 'Acme LaserStar 7',
      description: 'Acme LaserStar 7, driverless',
      defaults: { paper: 'US Letter', bin: 'Tray 2', dpi: '600x600', duplex: 'long-edge', color: true },
      capabilities: {
        bins: ['Tray 1', 'Tray 2'],
        color: true,
        dpis: ['600x600', '1200x600'],
        duplex: true,
        medias: ['Plain'],
        papers: { 'A4 (210 x 297 mm)': [2099, 2970], 'US Letter': [2159, 2794] },
        supports_custom_paper_size: false,
      },
    });
    expect(PRINTER_PROFILES.read(JSON.stringify(clone), 'star.json').name).toBe('Acme LaserStar 7');
  });

  it('is refused for a file that is not a PPD file', () => {
    expect(() => cloneOfPpd('<html>', 'page.ppd')).toThrow('page.ppd is not a PPD file');
  });
});
