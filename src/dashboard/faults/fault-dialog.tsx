/**
 * Fault dialog: the fault rules in force at a place of the room, and a form to add one. The workbench supplies the
 * choices.
 */

import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { DURATION_PATTERN } from '../../common/duration.ts';
import type { FaultKindView, FaultView } from '../../record/control-types.ts';
import { addFault, getFaultKinds, getFaults, removeFault } from '../api/workbench.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { attempt, dismissProblems, notify } from '../state/notices.ts';
import { useStore } from '../state/store.ts';
import { workbench } from '../state/workbench-store.ts';
import { ruleInWords } from './rule-in-words.ts';

/** Takes a change of the rules, and shows those that are in force then. */
export async function changeFaults(change: Promise<unknown>): Promise<boolean> {
  if ((await attempt(change.then(() => true))) === undefined) return false;
  dismissProblems();
  const faults = await attempt(getFaults());
  if (faults) workbench.patch({ faults });
  return true;
}

interface FaultDialogProps {
  readonly name: string;
  /** As rules name it: of a computer also its link. */
  readonly places: readonly string[];
  readonly onClose: () => void;
}

export function FaultDialog({ name, places, onClose }: FaultDialogProps): JSX.Element | null {
  const kinds = useFaultKinds();
  if (!kinds) return null;
  return (
    <Dialog title={`What goes wrong at ${name}`} onClose={onClose}>
      <InForce places={places} />
      <NewRule key={places.join()} places={places} kinds={kinds} />
    </Dialog>
  );
}

function useFaultKinds(): readonly FaultKindView[] | undefined {
  const [kinds, setKinds] = useState<readonly FaultKindView[] | undefined>(undefined);
  useEffect(() => void attempt(getFaultKinds()).then(setKinds), []);
  return kinds;
}

function InForce({ places }: Pick<FaultDialogProps, 'places'>): JSX.Element | null {
  const { faults } = useStore(workbench);
  const here = faults.filter(({ rule }) => places.includes(rule.at));
  if (here.length === 0) return null;
  return (
    <ul class="fault-list" aria-label="In force">
      {here.map((fault) => (
        <FaultLine key={fault.id} fault={fault} />
      ))}
    </ul>
  );
}

/** A rule in force, with a button that lifts it. */
export function FaultLine({ fault: { id, rule, fired } }: { readonly fault: FaultView }): JSX.Element {
  const words = ruleInWords(rule);
  const isBeingLifted = useRef(false);
  const lift = async (): Promise<void> => {
    // The second of two presses in a row would find no rule.
    if (isBeingLifted.current) return;
    isBeingLifted.current = true;
    isBeingLifted.current = await changeFaults(removeFault(id));
  };
  return (
    <li>
      <span>
        <strong>{rule.fault}</strong> at {rule.at}
        {words !== '' && `, ${words}`}
        {fired !== null && <span class="hint"> · happened {fired === 1 ? 'once' : `${fired} times`}</span>}
      </span>
      <button
        type="button"
        class="quiet icon-only"
        aria-label={`Clear ${rule.fault} at ${rule.at}`}
        onClick={() => void lift()}
      >
        <Icon name="cross" />
      </button>
    </li>
  );
}

interface NewRuleProps extends Pick<FaultDialogProps, 'places'> {
  readonly kinds: readonly FaultKindView[];
}

/** What is typed, by the name of the field; settings of the fault begin with a dot. */
type Typed = Readonly<Record<string, string>>;

interface Offered {
  readonly at: string;
  readonly kind: FaultKindView;
}

function NewRule({ places, kinds }: NewRuleProps): JSX.Element {
  const offered = places.flatMap((at): Offered[] => {
    const kind = kinds.find(({ place }) => at.startsWith(`${place}/`));
    return kind ? [{ at, kind }] : [];
  });
  const [chosen, choose] = useState('');
  const [typed, setTyped] = useState<Typed>({});
  const choice = offered
    .flatMap(({ at, kind }) => kind.faults.map((fault) => ({ at, kind, fault })))
    .find(({ at, fault }) => `${at} ${fault.fault}` === chosen);
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!choice) return;
    const { at, fault } = choice;
    const isAdded = await changeFaults(addFault(ruleOf(at, fault.fault, typed)));
    if (!isAdded) return;
    notify('done', `${fault.fault} is in force at ${at}`);
    choose('');
    setTyped({});
  };
  return (
    <form class="new-fault" onSubmit={(event) => void add(event)}>
      <FaultChoice offered={offered} chosen={chosen} onChoose={choose} />
      {choice && (
        <>
          <p class="hint">An occasion is {choice.kind.occasion.replaceAll('`', '')}.</p>
          <RuleFields fields={fieldsOf(choice.kind, choice.fault)} typed={typed} onType={setTyped} />
          <button type="submit" class="primary">
            Put it in force
          </button>
        </>
      )}
    </form>
  );
}

interface FaultChoiceProps {
  readonly offered: readonly Offered[];
  readonly chosen: string;
  readonly onChoose: (chosen: string) => void;
}

function FaultChoice({ offered, chosen, onChoose }: FaultChoiceProps): JSX.Element {
  return (
    <select aria-label="Fault" value={chosen} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      <option value="">Make something go wrong…</option>
      {offered.map(({ at, kind }) => (
        <optgroup key={at} label={offered.length > 1 ? kind.place : 'Faults'}>
          {kind.faults.map(({ fault, does }) => (
            <option key={fault} value={`${at} ${fault}`}>
              {fault}: {does}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}

interface RuleFieldsProps {
  readonly fields: readonly RuleField[];
  readonly typed: Typed;
  readonly onType: (typed: Typed) => void;
}

function RuleFields({ fields, typed, onType }: RuleFieldsProps): JSX.Element {
  return (
    <div class="fields">
      {fields.map(({ name, label, hint, taken }) => (
        <label key={name} class="rule-field">
          <span>{label}</span>
          <input
            value={typed[name] ?? ''}
            placeholder={hint}
            {...taken}
            autocomplete="off"
            onInput={({ currentTarget }) => onType({ ...typed, [name]: currentTarget.value })}
          />
        </label>
      ))}
    </div>
  );
}

interface RuleField {
  readonly name: string;
  readonly label: string;
  /** What holds when it is left empty. */
  readonly hint: string;
  /** For the browser, which says at the field what is wrong. */
  readonly taken?: { readonly pattern: string; readonly title: string };
}

const duration = { pattern: DURATION_PATTERN, title: 'Such as 90s, 1h30m or 3d' };
const integer = { pattern: String.raw`\d+`, title: 'An integer' };
const share = { pattern: String.raw`[01]|0\.\d+`, title: 'Such as 0.3' };

const AFTER: RuleField = { name: 'after', label: 'After how many occasions', hint: '0: at once', taken: integer };
const FOR: RuleField = { name: 'for', label: 'For how long', hint: 'until it is cleared', taken: duration };
const CHANCE: readonly RuleField[] = [
  { name: 'times', label: 'How often at most', hint: 'any number of times', taken: integer },
  { name: 'probability', label: 'Probability, 0 to 1', hint: '1: always', taken: share },
];

/** A printer has its fault or not: there is no number of times. */
function fieldsOf({ place }: FaultKindView, { settings }: FaultKindView['faults'][number]): readonly RuleField[] {
  const own = Object.entries(settings).map(([name, meaning]) => ({
    name: `.${name}`,
    label: `${name}: ${meaning.replaceAll('`', '')}`,
    hint: 'as usual',
  }));
  return [...own, AFTER, ...(place === 'printer' ? [] : CHANCE), FOR];
}

const NUMBERS: ReadonlySet<string> = new Set(['after', 'times', 'probability']);

function ruleOf(at: string, fault: string, typed: Typed): FaultView['rule'] {
  const given = Object.entries(typed).filter(([, value]) => value.trim() !== '');
  const of = (isSetting: boolean): Record<string, unknown> =>
    Object.fromEntries(
      given
        .filter(([name]) => name.startsWith('.') === isSetting)
        .map(([name, value]) => [name.replace('.', ''), valueOf(name, value.trim())]),
    );
  const settings = of(true);
  return { at, fault, ...of(false), ...(Object.keys(settings).length > 0 && { with: settings }) };
}

/** What cannot be read as it should be goes as it is: the workbench says what is wrong with it. */
function valueOf(name: string, text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  const isNumber = /^\d+(\.\d+)?$/.test(text) && (NUMBERS.has(name) || name.startsWith('.'));
  return isNumber ? Number(text) : text;
}
