/**
 * Profiles: what the names of printers and scales in the description of a room stand for.
 */

import type { Reach } from '../common/file-reach.ts';
import { PRINTER_PROFILES, type PrinterProfile } from './printer/printer-profile.ts';
import { SCALE_PROFILES, type ScaleProfile } from './scale/scale-profile.ts';

/** Both throw an ActionableError for a name that nothing has. */
export interface Profiles {
  readonly printer: (name: string) => PrinterProfile;
  readonly scale: (name: string) => ScaleProfile;
}

/** Those that ship, whatever the name looks like. */
export const SHIPPED_PROFILES: Profiles = {
  printer: (name) => PRINTER_PROFILES.load(name),
  scale: (name) => SCALE_PROFILES.load(name),
};

/** Also files of one's own. */
export function profilesWithin(reach: Reach): Profiles {
  return {
    printer: (name) => PRINTER_PROFILES.load(name, reach),
    scale: (name) => SCALE_PROFILES.load(name, reach),
  };
}
