/**
 * Faults in force: how many rules there are, and which, with a button to lift each.
 */

import type { JSX } from 'preact';

import type { FaultView } from '../../record/control-types.ts';
import { clearFaults, removeFault } from '../api/workbench.ts';
import { count } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { attempt } from '../state/notices.ts';
import { useStore } from '../state/store.ts';
import { workbench } from '../state/workbench-store.ts';

export function FaultsInForce(): JSX.Element {
  const { faults } = useStore(workbench);
  if (faults.length === 0) return <span class="faults none">No faults in force</span>;
  return (
    <details class="faults">
      <summary>
        <Icon name="bolt" />
        {count(faults.length, 'fault')} in force
      </summary>
      <div class="popover">
        <ul>
          {faults.map((fault) => (
            <FaultLine key={fault.id} fault={fault} />
          ))}
        </ul>
        <button type="button" onClick={() => void take(clearFaults())}>
          Clear all
        </button>
      </div>
    </details>
  );
}

function FaultLine({ fault: { id, rule, fired } }: { readonly fault: FaultView }): JSX.Element {
  return (
    <li>
      <span>
        <strong>{rule.fault}</strong> at {rule.at}
        {fired !== null && <span class="hint"> · happened {count(fired, 'time')}</span>}
      </span>
      <button
        type="button"
        class="quiet icon-only"
        aria-label={`Clear ${rule.fault} at ${rule.at}`}
        onClick={() => void take(removeFault(id))}
      >
        <Icon name="cross" />
      </button>
    </li>
  );
}

async function take(change: Promise<readonly FaultView[]>): Promise<void> {
  const faults = await attempt(change);
  if (faults) workbench.patch({ faults });
}
