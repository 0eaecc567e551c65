/**
 * Scale panel: a scale with its display, its buttons, and a weight to put on it.
 */

import type { JSX } from 'preact';

import type { RoomComputerView, RoomScaleView, ScaleChange } from '../../record/control-types.ts';
import { changeScale, removeScale } from '../api/workbench.ts';
import { RemoveButton } from '../parts/confirm-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Switch } from '../parts/switch.tsx';
import { assumeScale, changeRoom } from '../state/room-store.ts';
import { Addresses } from './addresses.tsx';
import { FaultLink } from './fault-link.tsx';
import { ServiceReading } from './service-reading.tsx';
import { Weight } from './weight.tsx';

interface ScalePanelProps {
  readonly computer: RoomComputerView;
  readonly scale: RoomScaleView;
}

const BUTTONS = ['tare', 'zero', 'unit', 'power'] as const satisfies readonly ScaleChange['button'][];

export function ScalePanel({ computer, scale }: ScalePanelProps): JSX.Element {
  const { deviceName, deviceNum, profile, on, massText, stable, grams, addresses } = scale;
  const name = `${deviceName} ${deviceNum}`;
  const tell = (change: ScaleChange): Promise<unknown> => changeRoom(changeScale(computer.name, scale, change));
  return (
    <section class="device scale" aria-label={`Scale ${name}`}>
      <header>
        <Icon name="scale" />
        <div class="device-name">
          <h3>{deviceName}</h3>
          <span class="hint">
            {profile} · number {deviceNum}
          </span>
        </div>
        <Switch
          label="Plugged in"
          name={`Plugged in: ${name}`}
          on={on}
          onChange={(isOn) => {
            assumeScale(computer.name, scale, { on: isOn });
            void tell({ on: isOn });
          }}
        />
        <RemoveButton what={name} onConfirm={() => void changeRoom(removeScale(computer.name, scale))} />
      </header>
      <div class="scale-body">
        <div>
          <Lcd name={`Display of ${name}`} text={massText} note={noteOf(scale)} />
          <ServiceReading computer={computer} scale={scale} />
        </div>
        <div class="scale-controls">
          <Weight name={name} grams={grams} onWeigh={(weight) => tell({ grams: weight })} />
          <div class="buttons" role="group" aria-label={`Buttons of ${name}`}>
            {BUTTONS.map((button) => (
              <button key={button} type="button" onClick={() => void tell({ button })}>
                {button}
              </button>
            ))}
            <FaultLink name={name} places={[scale.place]} />
          </div>
        </div>
      </div>
      {addresses && <Addresses name={name} addresses={addresses} />}
    </section>
  );

  function noteOf({ on: isOn }: RoomScaleView): string {
    if (!isOn || massText === '') return 'off';
    return stable ? 'stable' : 'in motion';
  }
}

interface LcdProps {
  /** What is displayed, for who hears it: `Reading of the scale`. */
  readonly name: string;
  /** Empty while it is switched off. */
  readonly text: string;
  readonly note?: string;
}

/** Figures on glass. */
function Lcd({ name, text, note = '' }: LcdProps): JSX.Element {
  return (
    <output class={text === '' ? 'lcd dark' : 'lcd'} aria-label={name}>
      <span class="lcd-note">{note}</span>
      <span class="lcd-text">{text === '' ? '– – –' : text}</span>
    </output>
  );
}
