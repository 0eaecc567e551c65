/**
 * Notice list: what went wrong or was done, at the foot of the page; read out as it comes. A dialog has a list of its
 * own, since nothing outside of it can be pressed.
 */

import type { JSX } from 'preact';

import { dismiss, notices } from '../state/notices.ts';
import { useStore } from '../state/store.ts';
import { Icon } from './icon.tsx';

export function NoticeList(): JSX.Element {
  const { list } = useStore(notices);
  return (
    <div class="notices" role="status" aria-live="polite">
      {list.map(({ id, kind, text }) => (
        <div key={id} class={`notice ${kind}`}>
          <Icon name={kind === 'done' ? 'check' : 'warning'} />
          <span>{text}</span>
          <button type="button" class="quiet icon-only" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <Icon name="cross" />
          </button>
        </div>
      ))}
    </div>
  );
}
