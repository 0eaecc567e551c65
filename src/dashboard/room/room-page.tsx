/**
 * Room: the computers, with what is attached to them. Everything a person could do to the machines with their
 * hands can be done here.
 */

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { addComputer, getCapabilities } from '../api/workbench.ts';
import { BadDayMenu } from '../faults/bad-day-menu.tsx';
import { FaultDialog } from '../faults/fault-dialog.tsx';
import { CodeBlock } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { EmptyState, NotLoaded } from '../parts/empty-state.tsx';
import { Icon } from '../parts/icon.tsx';
import { changeQuery, useRoute } from '../routing/navigation.ts';
import { attempt } from '../state/notices.ts';
import { changeRoom, loadRoom, room } from '../state/room-store.ts';
import { useStore } from '../state/store.ts';
import { ComputerCard } from './computer-card.tsx';

export function RoomPage(): JSX.Element {
  const { computers, profiles, status } = useStore(room);
  useEffect(() => void loadRoom(), []);
  return (
    <div class="room">
      {status === 'missing' && <NotLoaded what="The room" onRetry={() => void loadRoom()} />}
      {status === 'ready' && computers.length === 0 && (
        <EmptyState icon="computer" title="The room is empty">
          <p>Add a computer here, then printers and scales from the profiles.</p>
        </EmptyState>
      )}
      {status === 'ready' && computers.length > 0 && <BadDayMenu />}
      <div class="computers">
        {computers.map((computer) => (
          <ComputerCard key={computer.name} computer={computer} profiles={profiles} />
        ))}
      </div>
      {status === 'ready' && <AddComputer />}
      <CapabilitiesDialog />
      <FaultsOfPlace />
    </div>
  );
}

/**
 * What a printer reports about itself, as the service gets it. Its address names the
 * printer.
 */
function CapabilitiesDialog(): JSX.Element | null {
  const { computer, printer } = useRoute().query;
  const { computers } = useStore(room);
  const [json, setJson] = useState<string | undefined>(undefined);
  useEffect(() => {
    setJson(undefined);
    if (computer === undefined || printer === undefined) return;
    void attempt(getCapabilities(computer, printer)).then((value) => {
      if (value !== undefined) setJson(JSON.stringify(value, undefined, 2));
    });
  }, [computer, printer]);
  if (json === undefined) return null;
  const found = computers.find(({ name }) => name === computer)?.printers.find(({ key }) => key === printer);
  return (
    <Dialog
      title={`Capabilities of ${found?.name ?? printer}`}
      onClose={() => changeQuery({ computer: undefined, printer: undefined })}
    >
      <CodeBlock code={json} what="the capabilities" />
    </Dialog>
  );
}

function FaultsOfPlace(): JSX.Element | null {
  const { fault } = useRoute().query;
  const { computers } = useStore(room);
  if (fault === undefined) return null;
  const computer = computers.find(({ places }) => places.computer === fault);
  const places = computer ? [computer.places.computer, computer.places.link] : [fault];
  const name = fault.slice(fault.indexOf('/') + 1).replaceAll('%2F', '/');
  return <FaultDialog name={name} places={places} onClose={() => changeQuery({ fault: undefined })} />;
}

/** Puts another computer into the room. */
function AddComputer(): JSX.Element {
  const [name, setName] = useState('');
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (await changeRoom(addComputer(name.trim()))) setName('');
  };
  return (
    <form class="add add-computer" onSubmit={(event) => void add(event)}>
      <label class="field">
        New computer
        <input
          value={name}
          placeholder="WAREHOUSE"
          autocomplete="off"
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={name.trim() === ''}>
        <Icon name="plus" />
        Add
      </button>
    </form>
  );
}
