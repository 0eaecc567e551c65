/**
 * Bad day menu: makes a whole room misbehave, in a way that happens.
 */

import type { JSX } from 'preact';

import { addFault } from '../api/workbench.ts';
import { Popover } from '../parts/popover.tsx';
import { notify } from '../state/notices.ts';
import { BAD_DAYS, type BadDay } from './bad-days.ts';
import { changeFaults } from './fault-dialog.tsx';

export function BadDayMenu(): JSX.Element {
  return (
    <Popover class="bad-days">
      <summary>A bad day…</summary>
      <ul class="popover">
        {BAD_DAYS.map((day) => (
          <li key={day.name}>
            <button type="button" onClick={() => void start(day)}>
              {day.name}
            </button>
            <span class="hint">{day.why}</span>
          </li>
        ))}
      </ul>
    </Popover>
  );
}

async function start({ name, rules }: BadDay): Promise<void> {
  const isAdded = await changeFaults(Promise.all(rules.map(addFault)));
  if (isAdded) notify('done', `${name}: clear the faults to end it`);
}
