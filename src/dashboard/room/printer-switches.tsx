/**
 * Printer switches: what a hand at the printer would do. What is switched shows at once; the workbench has
 * the last word.
 */

import type { JSX } from 'preact';

import type { PrinterChange, RoomPrinterView } from '../../record/control-types.ts';
import { changePrinter } from '../api/workbench.ts';
import { Switch } from '../parts/switch.tsx';
import { assumePrinter, changeRoom } from '../state/room-store.ts';

interface PrinterSwitchesProps {
  readonly computer: string;
  readonly printer: RoomPrinterView;
}

const JAM = 'media-jam';
const COVER_OPEN = 'cover-open';

export function PrinterSwitches({ computer, printer }: PrinterSwitchesProps): JSX.Element {
  const { key, name, online, reasons } = printer;
  const change = (what: PrinterChange, assumed: Partial<RoomPrinterView>): void => {
    assumePrinter(computer, key, assumed);
    void changeRoom(changePrinter(computer, key, what));
  };
  const hasJam = reasons.includes(JAM);
  const isOpen = reasons.includes(COVER_OPEN);
  return (
    <div class="switches" role="group" aria-label={`Switches of ${name}`}>
      <Switch
        label="Online"
        name={`Online: ${name}`}
        on={online}
        onChange={(on) => change({ online: on }, { online: on, state: on ? 'online' : 'offline' })}
      />
      <Switch
        label="Cover open"
        name={`Cover open: ${name}`}
        on={isOpen}
        isAlarm
        onChange={(on) => change({ cover: on ? 'open' : 'closed' }, { reasons: withReason(reasons, COVER_OPEN, on) })}
      />
      <Switch
        label="Jam"
        name={`Jam: ${name}`}
        on={hasJam}
        isAlarm
        onChange={(on) => change({ jam: on }, { reasons: withReason(reasons, JAM, on) })}
      />
    </div>
  );
}

function withReason(reasons: readonly string[], reason: string, isThere: boolean): readonly string[] {
  const others = reasons.filter((one) => one !== reason);
  return isThere ? [...others, reason] : others;
}
