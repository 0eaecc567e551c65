/**
 * Dialog: something to look at before going on. Escape and a press beside it close it.
 */

import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { Icon } from './icon.tsx';
import { NoticeList } from './notice-list.tsx';

interface DialogProps {
  readonly title: string;
  readonly class?: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ title, class: className = '', onClose, children }: DialogProps): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current?.showModal();
  }, []);
  return (
    <dialog
      ref={element}
      class={className}
      aria-label={title}
      onClose={onClose}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) currentTarget.close();
      }}
    >
      <header>
        <h2>{title}</h2>
        <button type="button" class="quiet icon-only" aria-label="Close" onClick={() => element.current?.close()}>
          <Icon name="cross" />
        </button>
      </header>
      <div class="dialog-body">{children}</div>
      <NoticeList />
    </dialog>
  );
}
