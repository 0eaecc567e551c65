/**
 * Default room: what there is when no room is described. Small and varied: an office laser, a label
 * printer, a printer that reports nothing about itself, a colour multifunction device, and a scale with a
 * parcel on it.
 */

import type { RoomDescription } from './room.ts';

const HOUR_MS = 3_600_000;

/**
 * Reports its weight just often enough that the service always has it; and not for ever, so that weeks of
 * virtual time still pass at once.
 */
const PARCEL_SCALE = {
  profile: 'mettler-ps60',
  name: 'Parcel scale',
  loadMicrograms: 1_200_000_000,
  republishMs: 30_000,
  autoOffMs: 8 * HOUR_MS,
};

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
      scales: [PARCEL_SCALE],
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
