/**
 * Computer card: a computer, its connection to the service, and what is plugged into it.
 */

import type { JSX } from 'preact';

import type { RoomComputerView, RoomView } from '../../record/control-types.ts';
import { addPrinter, addScale, removeComputer, tellComputer, type ComputerCommand } from '../api/workbench.ts';
import { RemoveButton } from '../parts/confirm-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { StateChip } from '../parts/state-chip.tsx';
import { changeRoom } from '../state/room-store.ts';
import { AddDevice } from './add-device.tsx';
import { FaultLink } from './fault-link.tsx';
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

interface Command {
  readonly command: ComputerCommand;
  readonly text: string;
  readonly title?: string;
  readonly class?: string;
}

const COMMANDS = {
  connected: [
    { command: 'disconnect', text: 'Disconnect' },
    { command: 'crash', text: 'Crash', title: 'The program dies and starts again' },
    { command: 'sleep', text: 'Sleep', title: 'The connection goes quiet without an end' },
  ],
  asleep: [{ command: 'wake', text: 'Wake', class: 'primary' }],
  disconnected: [{ command: 'connect', text: 'Connect', class: 'primary' }],
} as const satisfies Readonly<Record<string, readonly Command[]>>;

function stateOf({ connected, asleep }: RoomComputerView): keyof typeof COMMANDS {
  if (asleep) return 'asleep';
  return connected ? 'connected' : 'disconnected';
}

function ComputerHead({ computer }: Pick<ComputerCardProps, 'computer'>): JSX.Element {
  const { name, id, places } = computer;
  const state = stateOf(computer);
  const commands: readonly Command[] = COMMANDS[state];
  return (
    <header>
      <Icon name="computer" />
      <h2>{name}</h2>
      {id !== undefined && <span class="hint">computer {id}</span>}
      <StateChip state={state} />
      <span class="actions">
        {commands.map(({ command, text, title, class: className }) => (
          <button
            key={command}
            type="button"
            class={className}
            title={title}
            onClick={() => void changeRoom(tellComputer(name, command))}
          >
            {text}
          </button>
        ))}
        <FaultLink name={name} places={[places.computer, places.link]} />
        <RemoveButton what={name} onConfirm={() => void changeRoom(removeComputer(name))} />
      </span>
    </header>
  );
}
