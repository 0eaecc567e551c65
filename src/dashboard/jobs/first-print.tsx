/**
 * First print: what to do while there are no jobs: a line for the terminal, and a button.
 */

import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';

import { print } from '../api/service.ts';
import { CodeBlock } from '../parts/copy-button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { workbench } from '../state/workbench-store.ts';
import { attempt } from '../state/notices.ts';
import { loadRoom, room } from '../state/room-store.ts';
import { useStore } from '../state/store.ts';
import { testPageBase64 } from './test-page.ts';

export function FirstPrint(): JSX.Element {
  const { info, apiKey = 'YOUR-KEY' } = useStore(workbench);
  const { computers, isLoaded } = useStore(room);
  useEffect(() => {
    if (!isLoaded) void loadRoom();
  }, [isLoaded]);
  const printer = computers.flatMap((computer) => computer.printers).find(({ id }) => id !== undefined);
  const printerId = printer?.id ?? 1;
  const content = testPageBase64('Hello from platen');
  const printTestPage = (): void => void attempt(print({ printerId, title: 'Test page', content }, apiKey));
  return (
    <EmptyState icon="printer" title="Nothing has been printed yet">
      <p>Print a document from a terminal, or from your program, and its sheets appear here:</p>
      <CodeBlock code={curlLine(info?.url ?? location.origin, apiKey, printerId, content)} what="the curl line" />
      {printer && (
        <button type="button" class="primary" onClick={printTestPage}>
          Print a test page on {printer.name}
        </button>
      )}
    </EmptyState>
  );
}

function curlLine(url: string, apiKey: string, printerId: number, content: string): string {
  const body = JSON.stringify({ printerId, title: 'Hello', contentType: 'pdf_base64', content });
  return `curl -u ${apiKey}: ${url}/printjobs -H 'Content-Type: application/json' -d '${body}'`;
}
