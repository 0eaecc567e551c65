/**
 * LCD: the display of a device: figures on glass.
 */

import type { JSX } from 'preact';

interface LcdProps {
  /** What is displayed, for who hears it: `Reading of the scale`. */
  readonly name: string;
  /** Empty while it is switched off. */
  readonly text: string;
  readonly note?: string;
}

export function Lcd({ name, text, note = '' }: LcdProps): JSX.Element {
  return (
    <output class={text === '' ? 'lcd dark' : 'lcd'} aria-label={name}>
      <span class="lcd-note">{note}</span>
      <span class="lcd-text">{text === '' ? '– – –' : text}</span>
    </output>
  );
}
