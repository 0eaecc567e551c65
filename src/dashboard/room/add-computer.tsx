/**
 * Add computer: puts another computer into the room.
 */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { addComputer } from '../api/workbench.ts';
import { Icon } from '../parts/icon.tsx';
import { changeRoom } from '../state/room-store.ts';

export function AddComputer(): JSX.Element {
  const [name, setName] = useState('');
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (await changeRoom(addComputer(name.trim()))) setName('');
  };
  return (
    <form class="add add-computer" onSubmit={(event) => void add(event)}>
      <label class="field">
        Another computer
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
