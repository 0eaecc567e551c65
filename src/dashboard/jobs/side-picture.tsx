/**
 * Side picture: one side that came out. It is drawn by the workbench when it comes into view.
 */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { pictureOf } from '../api/workbench.ts';
import { reloadOpenJob } from '../state/job-store.ts';

interface SidePictureProps {
  readonly jobId: number;
  readonly side: number;
  readonly name: string;
}

const WIDTH_PX = 296;

export function SidePicture({ jobId, side, name }: SidePictureProps): JSX.Element {
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
