/**
 * Service reading: what a program would read from a scale now, and that it reads nothing once the
 * reading is 45 seconds old.
 */

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import type { RoomComputerView, RoomScaleView } from '../../record/control-types.ts';
import { getReadings, type ScaleReading } from '../api/service.ts';
import { after } from '../browser/timing.ts';
import { formatAge } from '../parts/format.ts';
import { attempt } from '../state/notices.ts';
import { useStore } from '../state/store.ts';
import { workbench, useWorkbenchNow, workbenchNowMs } from '../state/workbench-store.ts';

interface ServiceReadingProps {
  readonly computer: RoomComputerView;
  readonly scale: RoomScaleView;
}

const KEPT_MS = 45_000;
/** The service has it a moment after the display shows it. */
const ARRIVES_MS = 150;

export function ServiceReading({ computer, scale }: ServiceReadingProps): JSX.Element {
  const nowMs = useWorkbenchNow();
  const reading = useReading(computer, scale);
  if (!reading) return <p class="service-reading">The service has no reading of the last 45 s.</p>;
  const ageMs = Math.max(0, nowMs - reading.createdMs);
  const when = ageMs < 1_000 ? 'measured just now' : `measured ${formatAge(ageMs)} ago`;
  return (
    <p class="service-reading">
      The service has {reading.text === '' ? 'a reading without a weight' : <strong>{reading.text}</strong>}, {when}.
    </p>
  );
}

interface Reading {
  readonly text: string;
  readonly createdMs: number;
}

function useReading({ id, connected }: RoomComputerView, scale: RoomScaleView): Reading | undefined {
  const { deviceName, deviceNum, massText, on } = scale;
  const { apiKey, clock, clockReadAtMs } = useStore(workbench);
  const [reading, setReading] = useState<Reading | undefined>(undefined);
  const [looks, lookAgain] = useState(0);
  const nowMs = clock?.nowMs ?? 0;
  useEffect(() => {
    if (id === undefined || apiKey === undefined) return undefined;
    return after(ARRIVES_MS, () => {
      void attempt(getReadings(id, apiKey)).then((readings) => {
        const found = readings?.find((one) => one.deviceName === deviceName && one.deviceNum === deviceNum);
        setReading(found && { text: textOf(found), createdMs: workbenchNowMs() - found.ageOfData });
      });
    });
  }, [id, apiKey, deviceName, deviceNum, massText, on, connected, nowMs, clockReadAtMs, looks]);
  const isRunning = clock?.running ?? false;
  useEffect(() => {
    if (!reading || !isRunning) return undefined;
    return after(KEPT_MS, () => lookAgain((count) => count + 1));
  }, [reading, isRunning]);
  return reading;
}

/** `2 lb 3.5 oz`: a value is in billionths of its unit. Empty for a scale that shows an error. */
function textOf({ measurement }: ScaleReading): string {
  return Object.entries(measurement)
    .map(([unit, billionths]) => `${Number((billionths / 1e9).toFixed(4))} ${unit}`)
    .join(' ');
}
