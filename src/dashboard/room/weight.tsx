/**
 * Weight: what lies on a scale, by slider or in figures. The slider is finer where weights are small:
 * a letter and a crate are on the same one.
 */

import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';

import { throttled } from '../browser/timing.ts';

interface WeightProps {
  readonly name: string;
  readonly grams: number;
  readonly onWeigh: (grams: number) => Promise<unknown>;
}

const HEAVIEST_GRAMS = 30_000;
const POSITIONS = 1_000;
const TOLD_EVERY_MS = 100;

export function Weight({ name, grams, onWeigh }: WeightProps): JSX.Element {
  // While a hand is on it, the hand is right; afterwards the workbench.
  const [held, setHeld] = useState<number | undefined>(undefined);
  const latest = useRef(grams);
  const weigh = useRef(onWeigh);
  weigh.current = onWeigh;
  const tell = useMemo(() => throttled(TOLD_EVERY_MS, () => void weigh.current(latest.current)), []);
  const hold = (value: number): void => {
    latest.current = value;
    setHeld(value);
    tell();
  };
  const letGo = async (): Promise<void> => {
    await weigh.current(latest.current);
    setHeld(undefined);
  };
  const enter = (value: number): void => {
    latest.current = value;
    void letGo();
  };
  const shown = held ?? grams;
  return (
    <div class="weight">
      <input
        type="range"
        min={0}
        max={POSITIONS}
        value={positionOf(shown)}
        aria-label={`Weight on ${name}`}
        aria-valuetext={`${shown} grams`}
        onInput={({ currentTarget }) => hold(gramsAt(currentTarget.valueAsNumber))}
        onChange={() => void letGo()}
      />
      <GramsField name={name} grams={shown} onEnter={enter} />
    </div>
  );
}

interface GramsFieldProps {
  readonly name: string;
  readonly grams: number;
  readonly onEnter: (grams: number) => void;
}

function GramsField({ name, grams, onEnter }: GramsFieldProps): JSX.Element {
  // What is being typed stays, whatever the scale reports meanwhile.
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const enter = (): void => {
    const value = Number(typed);
    setTyped(undefined);
    if (typed !== undefined && typed !== '' && value >= 0) onEnter(value);
  };
  return (
    <label class="field">
      <input
        type="number"
        min={0}
        step="any"
        value={typed ?? grams}
        aria-label={`Grams on ${name}`}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onChange={enter}
      />
      g
    </label>
  );
}

function gramsAt(position: number): number {
  return Math.round((position / POSITIONS) ** 2 * HEAVIEST_GRAMS);
}

function positionOf(grams: number): number {
  return Math.round(Math.sqrt(Math.max(0, grams) / HEAVIEST_GRAMS) * POSITIONS);
}
