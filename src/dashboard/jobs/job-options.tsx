/**
 * Job options: what was asked for beside what was done, and why where they differ.
 */

import type { JSX } from 'preact';

import type { OptionsView } from '../../record/control-types.ts';

export function JobOptions({ options }: { readonly options: OptionsView }): JSX.Element {
  const { asked, applied, ignored } = options;
  const names = [...new Set([...Object.keys(asked), ...Object.keys(applied)])];
  if (names.length === 0) return <p class="hint">None asked for; the printer's own settings held.</p>;
  return (
    <table class="options">
      <thead>
        <tr>
          <th scope="col">Option</th>
          <th scope="col">Asked</th>
          <th scope="col">Applied</th>
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <tr key={name} class={ignored[name] === undefined ? '' : 'ignored'}>
            <th scope="row">{name}</th>
            <td>{shown(asked[name])}</td>
            <td>
              {shown(applied[name])}
              {ignored[name] !== undefined && <span class="reason">{ignored[name]}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function shown(value: unknown): string {
  if (value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
