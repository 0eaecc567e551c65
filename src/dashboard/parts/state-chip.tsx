/**
 * State chip: a state as a word, with a mark and a colour that say the same. States that are not listed have a dash:
 * the set of them is open.
 */

import type { JSX } from 'preact';

import { Icon, type IconName } from './icon.tsx';

type Tone = 'good' | 'bad' | 'busy' | 'warn' | 'plain';

const LOOKS: Readonly<Record<string, readonly [tone: Tone, icon: IconName]>> = {
  // Print jobs
  new: ['plain', 'clock'],
  sent_to_client: ['busy', 'arrow'],
  received: ['busy', 'arrow'],
  preparing_to_print: ['busy', 'arrow'],
  queued_to_print: ['busy', 'printer'],
  done: ['good', 'check'],
  error: ['bad', 'cross'],
  expired: ['warn', 'clock'],
  // Computers and printers
  connected: ['good', 'check'],
  disconnected: ['bad', 'cross'],
  asleep: ['warn', 'clock'],
  online: ['good', 'check'],
  offline: ['bad', 'cross'],
  // Deliveries
  delivered: ['good', 'check'],
  'will-retry': ['warn', 'again'],
  dropped: ['bad', 'cross'],
  // Verdicts
  pass: ['good', 'check'],
  fail: ['bad', 'cross'],
  'harness-error': ['bad', 'bolt'],
  blocked: ['warn', 'warning'],
  inconclusive: ['warn', 'clock'],
  flaky: ['warn', 'again'],
  'too-long': ['plain', 'clock'],
  warn: ['warn', 'warning'],
  observed: ['plain', 'search'],
  running: ['busy', 'arrow'],
  // Clauses
  kept: ['good', 'check'],
  broken: ['bad', 'cross'],
};

interface StateChipProps {
  readonly state: string;
  /** What to call it, where that is not the state itself. */
  readonly text?: string;
}

export function StateChip({ state, text = state.replaceAll('_', ' ') }: StateChipProps): JSX.Element {
  const [tone, icon] = LOOKS[state] ?? ['plain', 'dash'];
  return (
    <span class={`chip ${tone}`}>
      <Icon name={icon} />
      {text}
    </span>
  );
}

/** An HTTP status, in the colour of its class. */
export function StatusChip({ status }: { readonly status: number | null }): JSX.Element {
  return <span class={`chip status ${toneOf(status)}`}>{status ?? 'no answer'}</span>;
}

function toneOf(status: number | null): string {
  if (status === null || status >= 500) return 'bad';
  if (status >= 400) return 'warn';
  return status >= 300 ? 'plain' : 'good';
}
