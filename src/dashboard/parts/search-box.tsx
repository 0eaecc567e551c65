/**
 * Search box: what is typed is in the address, so that a search can be shared. `/` goes to it.
 */

import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { debounced } from '../browser/timing.ts';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { changeQuery, useRoute } from '../routing/navigation.ts';
import { Icon } from './icon.tsx';

interface SearchBoxProps {
  readonly name: string;
  readonly placeholder: string;
}

const QUIET_MS = 120;

export function SearchBox({ name, placeholder }: SearchBoxProps): JSX.Element {
  const { query } = useRoute();
  const field = useRef<HTMLInputElement>(null);
  const search = useRef(debounced(QUIET_MS, () => changeQuery({ q: field.current?.value ?? '' }, { replace: true })));
  const wanted = query['q'] ?? '';
  useEffect(() => {
    // The way back leads to another search; what is being typed is left alone.
    if (field.current && field.current !== document.activeElement) field.current.value = wanted;
  }, [wanted]);
  useShortcuts({ '/': () => field.current?.select() });
  return (
    <label class="search">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        aria-label={name}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        defaultValue={wanted}
        onInput={() => search.current()}
      />
      <kbd aria-hidden="true">/</kbd>
    </label>
  );
}
