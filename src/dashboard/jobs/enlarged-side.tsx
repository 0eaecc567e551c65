/**
 * Enlarged side: one side as large as the window allows; the arrow keys turn over.
 */

import type { JSX } from 'preact';

import { pictureOf } from '../api/workbench.ts';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { Dialog } from '../parts/dialog.tsx';
import { changeQuery } from '../routing/navigation.ts';
import type { NamedSide } from './named-sides.ts';

interface EnlargedSideProps {
  readonly jobId: number;
  readonly side: number;
  readonly sides: readonly NamedSide[];
  readonly onClose: () => void;
}

const WIDTH_PX = 1_100;

export function EnlargedSide({ jobId, side, sides, onClose }: EnlargedSideProps): JSX.Element {
  const turnTo = (next: number): void => {
    if (next >= 1 && next <= sides.length) changeQuery({ side: String(next) }, { replace: true });
  };
  useShortcuts({
    ArrowLeft: () => turnTo(side - 1),
    ArrowRight: () => turnTo(side + 1),
    k: () => turnTo(side - 1),
    j: () => turnTo(side + 1),
  });
  const name = sides.find((one) => one.side === side)?.name ?? '';
  return (
    <Dialog title={`Side ${side} of ${sides.length}: ${name}`} class="enlarged" onClose={onClose}>
      <img src={pictureOf(jobId, side, WIDTH_PX)} alt={`Side ${side} of job ${jobId}, enlarged`} />
      <div class="turn">
        <button type="button" disabled={side === 1} onClick={() => turnTo(side - 1)}>
          Previous
        </button>
        <button type="button" disabled={side === sides.length} onClick={() => turnTo(side + 1)}>
          Next
        </button>
      </div>
    </Dialog>
  );
}
