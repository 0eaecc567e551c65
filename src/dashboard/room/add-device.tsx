/**
 * Add device: plugs a printer or a scale into a computer. Profiles are chosen by what they are for.
 */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';

interface DeviceProfile {
  readonly name: string;
  readonly title: string;
  /** The sort of machine that a printer is. */
  readonly kind?: string;
  readonly why: string;
}

interface AddDeviceProps {
  readonly kind: 'printer' | 'scale';
  readonly computer: string;
  readonly profiles: readonly DeviceProfile[];
  /** @returns whether it was added */
  readonly onAdd: (profile: DeviceProfile) => Promise<boolean>;
}

export function AddDevice(props: AddDeviceProps): JSX.Element {
  const { kind, computer } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" aria-label={`Add a ${kind} to ${computer}`} onClick={() => setOpen(true)}>
        <Icon name="plus" />
        Add a {kind}…
      </button>
      {isOpen && <ProfileDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

interface ProfileDialogProps extends AddDeviceProps {
  readonly onClose: () => void;
}

function ProfileDialog({ kind, computer, profiles, onAdd, onClose }: ProfileDialogProps): JSX.Element {
  const [wanted, setWanted] = useState('');
  const words = wanted.toLowerCase().split(/\s+/);
  const fitting = profiles.filter((profile) => words.every((word) => textOf(profile).includes(word)));
  const add = async (profile: DeviceProfile): Promise<void> => {
    if (await onAdd(profile)) onClose();
  };
  return (
    <Dialog title={`Add a ${kind} to ${computer}`} onClose={onClose}>
      <label class="search">
        <Icon name="search" />
        <input
          type="search"
          autofocus
          aria-label={`Search the profiles of ${kind}s`}
          placeholder={kind === 'printer' ? 'label, duplex, out of paper, macOS…' : 'grams, stale, windows…'}
          autocomplete="off"
          value={wanted}
          onInput={({ currentTarget }) => setWanted(currentTarget.value)}
        />
      </label>
      {fitting.length === 0 && <p>No profile matches.</p>}
      {[...Map.groupBy(fitting, (profile) => profile.kind ?? kind)].map(([group, members]) => (
        <section key={group} class="profile-group">
          <h3>{group}</h3>
          <ul>
            {members.map((profile) => (
              <li key={profile.name}>
                <button type="button" class="profile" onClick={() => void add(profile)}>
                  <strong>{profile.title}</strong> <code>{profile.name}</code>
                  <span>{profile.why}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Dialog>
  );
}

function textOf({ name, title, kind = '', why }: DeviceProfile): string {
  return [name, title, kind, why].join(' ').toLowerCase();
}
