/**
 * Print file: a document that is chosen or dropped on the page is printed, through the service as any program would.
 */

import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { formatBytes } from '../../common/format-bytes.ts';
import { print } from '../api/service.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { attempt, notify } from '../state/notices.ts';
import { loadRoom, room } from '../state/room-store.ts';
import { useStore } from '../state/store.ts';
import { workbench } from '../state/workbench-store.ts';

export function PrintFile(): JSX.Element {
  const [file, setFile] = useState<File | undefined>(undefined);
  const isOver = useDrop(setFile);
  return (
    <>
      <label class="button file-choice">
        <Icon name="printer" />
        Print a document…
        <input
          type="file"
          class="off-screen"
          onChange={({ currentTarget }) => {
            setFile(currentTarget.files?.[0]);
            currentTarget.value = '';
          }}
        />
      </label>
      {isOver && <p class="drop-here">Drop it to print it</p>}
      {file && <PrintDialog file={file} onClose={() => setFile(undefined)} />}
    </>
  );
}

/** A file dropped anywhere on the page. @returns whether one is held over it */
function useDrop(onFile: (file: File) => void): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      event.preventDefault();
      setOver(false);
      const [file] = event.dataTransfer?.files ?? [];
      if (file) onFile(file);
    };
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
    };
  }, [onFile]);
  return isOver;
}

interface PrintDialogProps {
  readonly file: File;
  readonly onClose: () => void;
}

function PrintDialog({ file, onClose }: PrintDialogProps): JSX.Element {
  const { apiKey } = useStore(workbench);
  const { computers, status } = useStore(room);
  const isLoaded = status === 'ready';
  const [chosen, choose] = useState('');
  const isBeingSent = useRef(false);
  useEffect(() => {
    if (!isLoaded) void loadRoom();
  }, [isLoaded]);
  const printers = computers.flatMap((computer) =>
    computer.printers.flatMap(({ id, name }) => (id === undefined ? [] : [{ id, name, computer: computer.name }])),
  );
  const printer = printers.find(({ id }) => String(id) === chosen) ?? printers[0];
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!printer || apiKey === undefined || isBeingSent.current) return;
    isBeingSent.current = true;
    const id = await attempt(send(file, printer.id, apiKey));
    isBeingSent.current = false;
    if (id === undefined) return;
    notify('done', `Job ${id} was submitted to ${printer.name}`);
    onClose();
  };
  return (
    <Dialog title={`Print ${file.name}`} class="narrow" onClose={onClose}>
      <form class="print-file" onSubmit={(event) => void submit(event)}>
        <p class="hint">
          {formatBytes(file.size)}, {wayOf(file)}
        </p>
        {isLoaded && printers.length === 0 && <p>There is no printer to print on: add one to the room first.</p>}
        <label class="rule-field">
          <span>Printer</span>
          <select value={String(printer?.id ?? '')} onChange={({ currentTarget }) => choose(currentTarget.value)}>
            {printers.map(({ id, name, computer }) => (
              <option key={id} value={String(id)}>
                {name} at {computer}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" class="primary" disabled={!printer || apiKey === undefined || file.size === 0}>
          Print
        </button>
      </form>
    </Dialog>
  );
}

async function send(file: File, printerId: number, apiKey: string): Promise<number> {
  const content = base64(new Uint8Array(await file.arrayBuffer()));
  return print({ printerId, title: file.name, content, isRaw: !isPdf(file) }, apiKey);
}

function wayOf(file: File): string {
  if (file.size === 0) return 'empty: there is nothing to print';
  return isPdf(file) ? 'as a PDF' : 'as raw data: the printer gets these bytes as they are';
}

function isPdf({ type, name }: File): boolean {
  return type === 'application/pdf' || name.toLowerCase().endsWith('.pdf');
}

const PIECE_BYTES = 8_192;

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    binary += String.fromCharCode(...bytes.subarray(at, at + PIECE_BYTES));
  }
  return btoa(binary);
}
