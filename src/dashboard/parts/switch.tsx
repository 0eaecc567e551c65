/**
 * Switch: on or off, with its label.
 */

import type { JSX } from 'preact';

interface SwitchProps {
  readonly label: string;
  /** What is switched, for who hears one label after the other: `Online: Laser`. */
  readonly name: string;
  readonly on: boolean;
  /** A switch that means trouble when it is on. */
  readonly isAlarm?: boolean;
  readonly onChange: (on: boolean) => void;
}

export function Switch({ label, name, on, isAlarm = false, onChange }: SwitchProps): JSX.Element {
  return (
    <label class={isAlarm ? 'switch alarm' : 'switch'}>
      <input
        type="checkbox"
        role="switch"
        aria-label={name}
        checked={on}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span class="track" aria-hidden="true" />
      {label}
    </label>
  );
}
