/**
 * Printouts: what programs printed on a printer past the service, newest first; a press opens all of one.
 */

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import type { HardwarePrintoutView, RoomPrinterView } from '../../record/control-types.ts';
import { getPrintouts, printoutBytesOf, printoutPdfOf, printoutPictureOf } from '../api/workbench.ts';
import { count } from '../parts/format.ts';
import { attempt } from '../state/notices.ts';

interface PrintoutsProps {
  readonly computer: string;
  readonly printer: RoomPrinterView;
}

/** The others are in the control API. */
const MOST_SHOWN = 8;

export function Printouts({ computer, printer }: PrintoutsProps): JSX.Element | null {
  const { name, lastPrintoutId, jobsHeld } = printer;
  const [printouts, setPrintouts] = useState<readonly HardwarePrintoutView[]>([]);
  useEffect(() => {
    if (lastPrintoutId === undefined) return setPrintouts([]);
    void attempt(getPrintouts()).then((all = []) => {
      const own = all.filter((one) => one.computer === computer && one.printer === name);
      setPrintouts(own.slice(-MOST_SHOWN).toReversed());
    });
    // While a jam holds a job, a part of it is out.
  }, [computer, name, lastPrintoutId, jobsHeld]);
  if (printouts.length === 0) return null;
  return (
    <ol class="sheets printouts" aria-label={`Printed on ${name} past the service`}>
      {printouts.map((printout) => (
        <PrintoutItem key={printout.id} printout={printout} />
      ))}
    </ol>
  );
}

const WIDTH_PX = 460;

function PrintoutItem({ printout }: { readonly printout: HardwarePrintoutView }): JSX.Element {
  const { id, title, sides, printedAt, raw } = printout;
  const [isMissing, setMissing] = useState(false);
  const hasPicture = sides > 0 && !isMissing;
  return (
    <li>
      <a href={hasPicture ? printoutPdfOf(id) : printoutBytesOf(id)} target="_blank" rel="noreferrer">
        {hasPicture ? (
          <img src={printoutPictureOf(id, WIDTH_PX)} alt={`${title}, side 1`} onError={() => setMissing(true)} />
        ) : (
          `${title}: bytes`
        )}
      </a>
      <span class="hint">
        {title} · {printedAt.slice(11, 19)}
        {sides > 1 && ` · ${count(sides, 'side')}`}
        {typeof raw?.notDrawn === 'string' && ` · not drawn: ${raw.notDrawn}`}
      </span>
    </li>
  );
}
