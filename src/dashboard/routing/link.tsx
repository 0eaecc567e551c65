/**
 * Link: leads to another view without loading the page anew. What a person does to open it elsewhere
 * (middle button, Ctrl) is left to the browser.
 */

import type { ComponentChildren, JSX } from 'preact';

import { goTo } from './navigation.ts';
import { hrefOf, type RouteTo } from './route.ts';

interface LinkProps {
  readonly to: RouteTo;
  readonly class?: string;
  readonly title?: string;
  readonly current?: boolean;
  readonly children: ComponentChildren;
}

export function Link({ to, class: className, title, current, children }: LinkProps): JSX.Element {
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    goTo(to);
  };
  return (
    <a href={hrefOf(to)} class={className} title={title} aria-current={current ? 'page' : undefined} onClick={follow}>
      {children}
    </a>
  );
}
