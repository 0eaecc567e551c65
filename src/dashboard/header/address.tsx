/**
 * Address: the base URL and the key that a program needs to print here.
 */

import type { JSX } from 'preact';

import { CopyButton } from '../parts/copy-button.tsx';
import { workbench, type WorkbenchState } from '../state/workbench-store.ts';
import { useStore } from '../state/store.ts';

const CONNECTION_WORDS: Readonly<Record<WorkbenchState['connection'], string>> = {
  live: 'Live',
  connecting: 'Connecting',
  lost: 'Not connected',
};

export function Address(): JSX.Element {
  const { info, apiKey, connection } = useStore(workbench);
  return (
    <div class="address">
      <span class={`connection ${connection}`}>{CONNECTION_WORDS[connection]}</span>
      {info && (
        <span class="credential">
          <span class="name">URL</span>
          <code>{info.url}</code>
          <CopyButton text={info.url} what="the base URL" />
        </span>
      )}
      {apiKey !== undefined && (
        <span class="credential">
          <span class="name">Key</span>
          <code>{apiKey}</code>
          <CopyButton text={apiKey} what="the API key" />
        </span>
      )}
    </div>
  );
}
