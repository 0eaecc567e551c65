/**
 * Job sheets: every side that came out, as it lies in the tray; a press enlarges one.
 */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { formatBytes } from '../../common/format-bytes.ts';
import { paperToCome } from '../../record/paper-words.ts';
import type { JobDetail, PrintoutView } from '../../record/control-types.ts';
import { pictureOf } from '../api/workbench.ts';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { Dialog } from '../parts/dialog.tsx';
import { count } from '../parts/format.ts';
import { Section } from '../parts/section.tsx';
import { Link } from '../routing/link.tsx';
import { changeQuery, useRoute } from '../routing/navigation.ts';
import { reloadOpenJob } from '../state/job-store.ts';
import { useStore } from '../state/store.ts';
import { workbench } from '../state/workbench-store.ts';
import { isOfEarlierStart } from './earlier-start.ts';
import { namedSides, type NamedSide } from './named-sides.ts';

/** A job may have thousands; who wants them all takes the PDF. */
const MOST_SHOWN = 200;

export function JobSheets({ job }: { readonly job: JobDetail }): JSX.Element {
  const { page, id, query } = useRoute();
  const sides = namedSides(job.printouts);
  const enlarged = Number(query['side'] ?? 0);
  const raws = job.printouts.filter((printout) => printout.raw !== undefined);
  return (
    <Section title="Sheets" aside={<span class="hint">{totalOf(job)}</span>}>
      {sides.length === 0 && raws.length === 0 && <NoSheets job={job} />}
      <ol class="sheets">
        {sides.slice(0, MOST_SHOWN).map(({ side, name }) => (
          <li key={`${job.id}/${side}`}>
            <Link to={{ page, id, query: { ...query, side: String(side) } }} title={`Enlarge: ${name}`}>
              <SidePicture jobId={job.id} side={side} name={name} />
            </Link>
            <span class="hint">{name}</span>
          </li>
        ))}
      </ol>
      {sides.length > MOST_SHOWN && <p class="hint">{sides.length - MOST_SHOWN} more are in the PDF.</p>}
      {raws.map((printout) => (
        <RawPrintout key={printout.submission} printout={printout} />
      ))}
      {sides.some(({ side }) => side === enlarged) && (
        <EnlargedSide jobId={job.id} side={enlarged} sides={sides} onClose={() => changeQuery({ side: undefined })} />
      )}
    </Section>
  );
}

interface SidePictureProps {
  readonly jobId: number;
  readonly side: number;
  readonly name: string;
}

const WIDTH_PX = 296;

/** Drawn by the workbench when it comes into view. */
function SidePicture({ jobId, side, name }: SidePictureProps): JSX.Element {
  const [isComing, setComing] = useState(true);
  const [isMissing, setMissing] = useState(false);
  if (isMissing) return <span class="hint">no picture</span>;
  return (
    <img
      class={isComing ? 'coming' : ''}
      src={pictureOf(jobId, side, WIDTH_PX)}
      alt={`Side ${side} of job ${jobId}: ${name}`}
      loading="lazy"
      decoding="async"
      onLoad={() => setComing(false)}
      onError={() => {
        setMissing(true);
        // The workbench says why once it has tried.
        reloadOpenJob();
      }}
    />
  );
}

function RawPrintout({ printout: { submission, raw } }: { readonly printout: PrintoutView }): JSX.Element | null {
  if (!raw) return null;
  return (
    <p class="raw-printout">
      <strong>{raw.language}</strong> {[raw.summary, ...raw.events.map(eventInWords)].join(', ')}
      <span class="hint">
        {' '}
        · {formatBytes(raw.bytes)}, submission {submission}
        {raw.notDrawn !== null && ` · not drawn: ${raw.notDrawn}`}
      </span>
    </p>
  );
}

function eventInWords({ what, number }: NonNullable<PrintoutView['raw']>['events'][number]): string {
  return what === 'drawer' ? `drawer ${number} opened` : 'buzzer';
}

function totalOf(job: JobDetail): string {
  const { sheets, sides, printouts } = job;
  const toCome = paperToCome(job);
  const lost = printouts.reduce((sum, printout) => sum + printout.sheetsLost, 0);
  const spoiled = lost > 0 ? `, ${lost} spoiled by a jam` : '';
  if (toCome !== undefined) return `${toCome}${spoiled}`;
  return sheets === 0 ? '' : `${count(sheets, 'sheet')}, ${count(sides, 'side')}${spoiled}`;
}

function NoSheets({ job }: { readonly job: JobDetail }): JSX.Element {
  const { clock } = useStore(workbench);
  const { state, problem } = job;
  if (isOfEarlierStart(job)) {
    return <p class="hint">None here: it printed before platen was started, and a data file has no sheets.</p>;
  }
  if (problem !== null) return <p class="hint">None: {problem}.</p>;
  if (state === 'error') return <p class="hint">None: it ended in an error; see the timeline.</p>;
  if (state === 'expired') return <p class="hint">None: it expired before its computer took it.</p>;
  const isFrozen = clock?.running === false;
  return (
    <p class="hint">
      None so far. They appear here as they come out of the printer.
      {isFrozen && ' The clock of this workbench is stopped: advance it above, or let it run.'}
    </p>
  );
}

/** One side as large as the window allows; the arrow keys turn over. */
interface EnlargedSideProps {
  readonly jobId: number;
  readonly side: number;
  readonly sides: readonly NamedSide[];
  readonly onClose: () => void;
}

const ENLARGED_WIDTH_PX = 1_100;

function EnlargedSide({ jobId, side, sides, onClose }: EnlargedSideProps): JSX.Element {
  const turnTo = (next: number): void => {
    if (next >= 1 && next <= sides.length) changeQuery({ side: String(next) }, { replace: true });
  };
  useShortcuts({
    ArrowLeft: () => turnTo(side - 1),
    ArrowRight: () => turnTo(side + 1),
    k: () => turnTo(side - 1),
    j: () => turnTo(side + 1),
  });
  const name = sides.find((one) => one.side === side)?.name ?? '';
  return (
    <Dialog title={`Side ${side} of ${sides.length}: ${name}`} class="enlarged" onClose={onClose}>
      <img src={pictureOf(jobId, side, ENLARGED_WIDTH_PX)} alt={`Side ${side} of job ${jobId}, enlarged`} />
      <div class="turn">
        <button type="button" aria-disabled={side === 1} onClick={() => turnTo(side - 1)}>
          Previous
        </button>
        <button type="button" aria-disabled={side === sides.length} onClick={() => turnTo(side + 1)}>
          Next
        </button>
      </div>
    </Dialog>
  );
}
