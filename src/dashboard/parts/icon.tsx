/**
 * Icon: small line drawings, in the colour of the text around them.
 */

import type { JSX } from 'preact';

const PATHS = {
  check: 'M3 8.5 6.5 12 13 4.5',
  cross: 'M4 4l8 8M12 4l-8 8',
  clock: 'M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2M8 5v3.2l2.2 1.4',
  arrow: 'M2.5 8h10M9 4.5 12.5 8 9 11.5',
  warning: 'M8 2.2 14.4 13.4H1.6zM8 6.4v3.2M8 11.4v.4',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.4 10.4 14 14',
  sheet: 'M4 1.8h5.5L12.5 5v9.2H4zM9.3 1.8V5h3.2M6 8h4.5M6 10.5h4.5',
  label: 'M2 4h12v8H2zM4.5 6.5v3M6.5 6.5v3M8 6.5v3M10.5 6.5v3M11.8 6.5v3',
  printer: 'M4.5 6V2h7v4M4.5 11.5H2.2V6h11.6v5.5h-2.3M4.5 9.5h7v4.5h-7z',
  computer: 'M2 3h12v8H2zM6 13.8h4M8 11v2.8',
  scale: 'M3 13.5h10l-1.2-8H4.200zM3.5 3.2h9M8 3.2v2.3M8 10.500l1.600-2.400',
  play: 'M4.5 2.8v10.4L13 8z',
  pause: 'M5 3v10M11 3v10',
  again: 'M13 8a5 5 0 1 1-1.5-3.600M13 2v3h-3',
  trash: 'M2.8 4.2h10.400M6.200 4V2.500h3.600V4M4.200 4.400l.7 9.100h6.200l.7-9.100',
  dash: 'M4 8h8',
  bolt: 'M9 1.8 3.8 9H8l-1 5.200L12.200 7H8z',
  plus: 'M8 3v10M3 8h10',
  download: 'M8 2.500v8M4.800 7.500 8 10.700l3.200-3.200M3 13.500h10',
  left: 'M10 3 5 8l5 5',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
