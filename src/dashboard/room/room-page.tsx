/**
 * Room: the computers, with what is attached to them. Everything a person could do to the machines with their
 * hands can be done here.
 */

import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';

import { EmptyState } from '../parts/empty-state.tsx';
import { loadRoom, room } from '../state/room-store.ts';
import { useStore } from '../state/store.ts';
import { AddComputer } from './add-computer.tsx';
import { CapabilitiesDialog } from './capabilities-dialog.tsx';
import { ComputerCard } from './computer-card.tsx';

export function RoomPage(): JSX.Element {
  const { computers, profiles, isLoaded } = useStore(room);
  useEffect(() => void loadRoom(), []);
  return (
    <div class="room">
      {isLoaded && computers.length === 0 && (
        <EmptyState icon="computer" title="The room is empty">
          <p>Add a computer here, then printers and scales from the profiles.</p>
        </EmptyState>
      )}
      <div class="computers">
        {computers.map((computer) => (
          <ComputerCard key={computer.name} computer={computer} profiles={profiles} />
        ))}
      </div>
      {isLoaded && <AddComputer />}
      <CapabilitiesDialog />
    </div>
  );
}
