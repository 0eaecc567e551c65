/**
 * Capabilities dialog: what a printer reports about itself, as the service gets it. Its address names the
 * printer.
 */

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { getCapabilities } from '../api/workbench.ts';
import { CodeBlock } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { changeQuery, useRoute } from '../routing/navigation.ts';
import { attempt } from '../state/notices.ts';
import { room } from '../state/room-store.ts';
import { useStore } from '../state/store.ts';

export function CapabilitiesDialog(): JSX.Element | null {
  const { computer, printer } = useRoute().query;
  const { computers } = useStore(room);
  const [json, setJson] = useState<string | undefined>(undefined);
  useEffect(() => {
    setJson(undefined);
    if (computer === undefined || printer === undefined) return;
    void attempt(getCapabilities(computer, printer)).then((value) => {
      if (value !== undefined) setJson(JSON.stringify(value, undefined, 2));
    });
  }, [computer, printer]);
  if (json === undefined) return null;
  const found = computers.find(({ name }) => name === computer)?.printers.find(({ key }) => key === printer);
  return (
    <Dialog
      title={`Capabilities of ${found?.name ?? printer}`}
      onClose={() => changeQuery({ computer: undefined, printer: undefined })}
    >
      <CodeBlock code={json} what="the capabilities" />
    </Dialog>
  );
}
