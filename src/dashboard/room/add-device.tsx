/**
 * Add device: plugs a printer or a scale into a computer, made from a profile.
 */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { Icon } from '../parts/icon.tsx';

export interface DeviceProfile {
  readonly name: string;
  readonly title: string;
}

interface AddDeviceProps {
  readonly kind: 'printer' | 'scale';
  readonly computer: string;
  readonly profiles: readonly DeviceProfile[];
  readonly onAdd: (profile: DeviceProfile) => Promise<boolean>;
}

export function AddDevice({ kind, computer, profiles, onAdd }: AddDeviceProps): JSX.Element {
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
