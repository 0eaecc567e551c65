/**
 * Default room: what is there when nobody describes a room. Small and varied: an office laser, a label
 * printer, a printer that reports nothing about itself, and a colour multifunction device.
 */

import type { RoomDescription } from './room.ts';

export const DEFAULT_ROOM: RoomDescription = {
  computers: [
    {
      name: 'FRONT-DESK',
      hostname: 'front-desk',
      inet: '192.0.2.10',
      version: '4.27.8',
      edition: 'platen',
      printers: [
        { profile: 'laser-a4', name: 'Laser', default: true },
        { profile: 'label-4x6', name: 'Label 4x6' },
        { profile: 'null-capabilities', name: 'Unknown Printer' },
      ],
    },
    {
      name: 'BACK-OFFICE',
      hostname: 'back-office.local',
      inet: '192.0.2.11',
      version: '4.26.2',
      edition: 'platen',
      printers: [{ profile: 'office-mfp', name: 'Office MFP', default: true }],
    },
  ],
};
