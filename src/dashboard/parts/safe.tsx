/**
 * Safe: keeps what goes wrong in a part of the page to that part. A record may come from anywhere.
 */

import { Component, type ComponentChildren } from 'preact';

import { EmptyState } from './empty-state.tsx';

interface SafeProps {
  /** What cannot be shown, as the beginning of a sentence: `This run`. */
  readonly what: string;
  readonly children: ComponentChildren;
}

export class Safe extends Component<SafeProps, { readonly problem?: string }> {
  override componentDidCatch(error: unknown): void {
    this.setState({ problem: error instanceof Error ? error.message : String(error) });
  }

  override render(): ComponentChildren {
    const { what, children } = this.props;
    const { problem } = this.state;
    if (problem === undefined) return children;
    return (
      <EmptyState icon="warning" title={`${what} cannot be shown`}>
        <p>{problem}</p>
      </EmptyState>
    );
  }
}
