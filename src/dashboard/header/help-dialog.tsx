/**
 * Help dialog: the keys.
 */

import type { JSX } from 'preact';

import { Dialog } from '../parts/dialog.tsx';

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['j  k', 'next, previous in a list'],
  ['Enter', 'open it'],
  ['Esc', 'close it; leave a field'],
  ['/', 'search'],
  ['←  →', 'previous, next side of an enlarged sheet'],
  ['g  j', 'Jobs'],
  ['g  r', 'Room'],
  ['g  t', 'Traffic'],
  ['g  u', 'Runs'],
  ['?', 'these keys'],
];

export function HelpDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  return (
    <Dialog title="Keys" class="narrow" onClose={onClose}>
      <dl class="keys">
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              {keys.split('  ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">
        Everything on this page can be done over HTTP as well: <a href="/_platen/openapi.json">openapi.json</a>
      </p>
    </Dialog>
  );
}
