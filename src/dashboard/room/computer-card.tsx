/**
 * Computer card: a computer, its connection to the service, and what is plugged into it.
 */

import type { JSX } from 'preact';

import type { RoomComputerView, RoomView } from '../../record/control-types.ts';
import { addPrinter, addScale, removeComputer, tellComputer } from '../api/workbench.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { StateChip } from '../parts/state-chip.tsx';
import { AddDevice } from './add-device.tsx';
import { changeRoom } from './change-room.ts';
import { PrinterPanel } from './printer-panel.tsx';
import { ScalePanel } from './scale-panel.tsx';

interface ComputerCardProps {
  readonly computer: RoomComputerView;
  readonly profiles: RoomView['profiles'];
}

export function ComputerCard({ computer, profiles }: ComputerCardProps): JSX.Element {
  const { name, printers, scales, lastFailure, connected } = computer;
  return (
    <section class={connected ? 'computer' : 'computer away'} aria-label={`Computer ${name}`}>
      <ComputerHead computer={computer} />
      {!connected && lastFailure !== undefined && <p class="failure">{lastFailure}</p>}
      <div class="devices">
        {printers.map((printer) => (
          <PrinterPanel key={printer.key} computer={name} printer={printer} />
        ))}
        {scales.map((scale) => (
          <ScalePanel key={`${scale.deviceName}/${scale.deviceNum}`} computer={computer} scale={scale} />
        ))}
      </div>
      <footer>
        <AddDevice
          kind="printer"
          computer={name}
          profiles={profiles.printers}
          onAdd={({ name: profile, title }) => changeRoom(addPrinter(name, profile, title))}
        />
        <AddDevice
          kind="scale"
          computer={name}
          profiles={profiles.scales}
          onAdd={({ name: profile }) => changeRoom(addScale(name, profile))}
        />
      </footer>
    </section>
  );
}

function ComputerHead({
  computer: { name, id, connected },
}: Pick<ComputerCardProps, 'computer'>): JSX.Element {
  return (
    <header>
      <Icon name="computer" />
      <h2>{name}</h2>
      {id !== undefined && <span class="hint">computer {id}</span>}
      <StateChip state={connected ? 'connected' : 'disconnected'} />
      <span class="actions">
        {connected ? (
          <>
            <button type="button" onClick={() => void changeRoom(tellComputer(name, 'disconnect'))}>
              Disconnect
            </button>
            <button
              type="button"
              title="The program dies and starts again"
              onClick={() => void changeRoom(tellComputer(name, 'crash'))}
            >
              Crash
            </button>
            <button
              type="button"
              title="The connection goes quiet without an end"
              onClick={() => void changeRoom(tellComputer(name, 'sleep'))}
            >
              Sleep
            </button>
          </>
        ) : (
          <button
            type="button"
            class="primary"
            onClick={() => void changeRoom(tellComputer(name, 'connect'))}
          >
            Connect
          </button>
        )}
        <ConfirmButton
          name={`Remove ${name}`}
          question="Remove it?"
          class="quiet icon-only"
          onConfirm={() => void changeRoom(removeComputer(name))}
        >
          <Icon name="trash" />
        </ConfirmButton>
      </span>
    </header>
  );
}
