/**
 * Section: a part of a view under a heading.
 */

import type { ComponentChildren, JSX } from 'preact';

interface SectionProps {
  readonly title: string;
  /** Beside the heading: buttons, a count. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Section({ title, aside, children }: SectionProps): JSX.Element {
  return (
    <section class="section">
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
