/**
 * Test page button: prints one sheet on a printer, through the service as any program would.
 */

import type { JSX } from 'preact';

import type { RoomPrinterView } from '../../record/control-types.ts';
import { print } from '../api/service.ts';
import { testPageBase64 } from '../jobs/test-page.ts';
import { attempt, notify } from '../state/notices.ts';
import { useStore } from '../state/store.ts';
import { workbench } from '../state/workbench-store.ts';

export function TestPageButton({ printer }: { readonly printer: RoomPrinterView }): JSX.Element | null {
  const { apiKey } = useStore(workbench);
  const { id: printerId, name } = printer;
  if (apiKey === undefined || printerId === undefined) return null;
  const printPage = async (): Promise<void> => {
    const content = testPageBase64(`Test page of ${name}`);
    const id = await attempt(print({ printerId, title: `Test page of ${name}`, content }, apiKey));
    if (id !== undefined) notify('done', `Job ${id} was submitted to ${name}`);
  };
  return (
    <button type="button" class="quiet" aria-label={`Print a test page on ${name}`} onClick={() => void printPage()}>
      Test page
    </button>
  );
}
