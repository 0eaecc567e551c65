/**
 * Clock control: the time on the workbench, and the ways to move it. Real time cannot be moved: then this
 * says how to get a clock that can.
 */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { DURATION_PATTERN } from '../../common/duration.ts';
import { advanceClock, setClockRunning } from '../api/workbench.ts';
import { formatDateTime } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { workbench, setClock, useWorkbenchNow } from '../state/workbench-store.ts';
import { attempt, dismissProblems } from '../state/notices.ts';
import { useStore } from '../state/store.ts';

/** What the rules of the service wait for: a retry, a reading, an idempotency key, a job. */
const STEPS: readonly { readonly by: string; readonly label: string; readonly why: string }[] = [
  { by: '5s', label: '+5 s', why: 'a webhook is tried again' },
  { by: '45s', label: '+45 s', why: 'the reading of a scale is gone' },
  { by: '24h', label: '+24 h', why: 'an idempotency key may be used again' },
  { by: '14d', label: '+14 d', why: 'a job that was not delivered expires' },
];

export function ClockControl(): JSX.Element {
  const { clock } = useStore(workbench);
  const nowMs = useWorkbenchNow();
  const [isMoving, setMoving] = useState(false);
  if (!clock) return <div class="clock" />;
  const move = async (by: string): Promise<void> => {
    if (isMoving) return;
    setMoving(true);
    const moved = await attempt(advanceClock(by));
    setMoving(false);
    if (!moved) return;
    dismissProblems();
    setClock(moved);
  };
  const toggle = async (): Promise<void> => {
    const changed = await attempt(setClockRunning(!clock.running));
    if (changed) setClock(changed);
  };
  const fixed = clock.isVirtual ? undefined : 'Real time: start with --clock virtual to move it';
  return (
    <div class="clock" role="group" aria-label="Clock of the workbench">
      <time class={isMoving ? 'now moving' : 'now'} dateTime={new Date(nowMs).toISOString()}>
        {formatDateTime(nowMs)} <span class="zone">UTC</span>
      </time>
      {fixed !== undefined && <span class="hint">real time</span>}
      <span class="buttons" title={fixed}>
        <button type="button" disabled={!clock.isVirtual} onClick={() => void toggle()}>
          <Icon name={clock.running ? 'pause' : 'play'} />
          {clock.running ? 'Freeze' : 'Run'}
        </button>
        {STEPS.map(({ by, label, why }) => (
          <button
            key={by}
            type="button"
            title={fixed ?? why}
            disabled={!clock.isVirtual}
            aria-disabled={isMoving}
            onClick={() => void move(by)}
          >
            {label}
          </button>
        ))}
        {clock.isVirtual && <FreeAmount isMoving={isMoving} onMove={move} />}
      </span>
    </div>
  );
}

interface FreeAmountProps {
  readonly isMoving: boolean;
  readonly onMove: (by: string) => Promise<void>;
}

function FreeAmount({ isMoving, onMove }: FreeAmountProps): JSX.Element {
  const [by, setBy] = useState('');
  const move = (event: Event): void => {
    event.preventDefault();
    void onMove(by);
  };
  return (
    <form class="free-amount" onSubmit={move}>
      <input
        aria-label="Advance by"
        pattern={DURATION_PATTERN}
        title="Such as 90s, 1h30m or 3d"
        placeholder="1h30m"
        size={7}
        autocomplete="off"
        value={by}
        onInput={({ currentTarget }) => setBy(currentTarget.value.trim())}
      />
      <button type="submit" disabled={by === ''} aria-disabled={isMoving}>
        Advance
      </button>
    </form>
  );
}
