/**
 * Reset button: back to the seed, for the whole workbench.
 */

import type { JSX } from 'preact';

import { resetWorkbench } from '../api/workbench.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { reloadEverything } from '../state/live-state.ts';
import { attempt, notify } from '../state/notices.ts';

export function ResetButton(): JSX.Element {
  return (
    <ConfirmButton
      name="Reset the workbench to its seed"
      question="Forget all jobs?"
      class="reset"
      onConfirm={() => void reset()}
    >
      <Icon name="again" />
      Reset
    </ConfirmButton>
  );
}

async function reset(): Promise<void> {
  const done = await attempt(resetWorkbench());
  if (done === undefined) return;
  notify('done', 'Back at the seed: no jobs, the room as it was at the start');
  reloadEverything();
}
