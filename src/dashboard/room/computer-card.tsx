/**
 * Computer card: a computer, its connection to the service, and what is plugged into it.
 */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { RoomComputerView, RoomView } from '../../record/control-types.ts';
import { addPrinter, addScale, removeComputer, tellComputer, type ComputerCommand } from '../api/workbench.ts';
import { RemoveButton } from '../parts/confirm-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { StateChip } from '../parts/state-chip.tsx';
import { changeRoom } from '../state/room-store.ts';
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

const COMMANDS: Readonly<Record<'connected' | 'away', readonly Command[]>> = {
  connected: [
    { command: 'disconnect', text: 'Disconnect' },
    { command: 'crash', text: 'Crash', title: 'The program dies and starts again' },
    { command: 'sleep', text: 'Sleep', title: 'The connection goes quiet without an end' },
  ],
  away: [{ command: 'connect', text: 'Connect', class: 'primary' }],
};

function ComputerHead({ computer: { name, id, connected } }: Pick<ComputerCardProps, 'computer'>): JSX.Element {
  return (
    <header>
      <Icon name="computer" />
      <h2>{name}</h2>
      {id !== undefined && <span class="hint">computer {id}</span>}
      <StateChip state={connected ? 'connected' : 'disconnected'} />
      <span class="actions">
        {COMMANDS[connected ? 'connected' : 'away'].map(({ command, text, title, class: className }) => (
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
        <RemoveButton what={name} onConfirm={() => void changeRoom(removeComputer(name))} />
      </span>
    </header>
  );
}

/** Plugs a printer or a scale into a computer, made from a profile. */
interface DeviceProfile {
  readonly name: string;
  readonly title: string;
}

interface AddDeviceProps {
  readonly kind: 'printer' | 'scale';
  readonly computer: string;
  readonly profiles: readonly DeviceProfile[];
  readonly onAdd: (profile: DeviceProfile) => Promise<boolean>;
}

function AddDevice({ kind, computer, profiles, onAdd }: AddDeviceProps): JSX.Element {
  const [chosen, choose] = useState('');
  const profile = profiles.find(({ name }) => name === chosen);
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (profile && (await onAdd(profile))) choose('');
  };
  return (
    <form class="add" onSubmit={(event) => void add(event)}>
      <select
        aria-label={`Profile of a ${kind} to add to ${computer}`}
        value={chosen}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value="">Add a {kind}…</option>
        {profiles.map(({ name, title }) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
      {profile && (
        <button type="submit">
          <Icon name="plus" />
          Add
        </button>
      )}
    </form>
  );
}
