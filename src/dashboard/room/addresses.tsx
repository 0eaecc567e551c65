/**
 * Addresses: where operating systems reach a device of the room.
 */

import type { JSX } from 'preact';

import { CopyButton } from '../parts/copy-button.tsx';

interface AddressesProps {
  readonly name: string;
  /** Protocol → URI. */
  readonly addresses: Readonly<Record<string, string>>;
}

export function Addresses({ name, addresses }: AddressesProps): JSX.Element {
  return (
    <ul class="addresses" aria-label={`Addresses of ${name}`}>
      {Object.values(addresses).map((uri) => (
        <li key={uri}>
          <code>{uri}</code>
          <CopyButton text={uri} what={uri} />
        </li>
      ))}
    </ul>
  );
}
