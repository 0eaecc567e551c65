/**
 * Thumbnail: the first side that came out of a printer, or what stands for it. A picture is asked for
 * once its row has stayed in view for a moment: who scrolls past a thousand jobs asks for none.
 */

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import type { JobSummary } from '../../record/control-types.ts';
import { pictureOf } from '../api/workbench.ts';
import { after } from '../browser/timing.ts';
import { Icon } from '../parts/icon.tsx';

const WIDTH_PX = 96;
const IN_VIEW_MS = 120;

type ThumbnailJob = Pick<JobSummary, 'id' | 'sides' | 'raw'>;

export function Thumbnail({ job: { id, sides, raw } }: { readonly job: ThumbnailJob }): JSX.Element {
  const [isWanted, setWanted] = useState(false);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => after(IN_VIEW_MS, () => setWanted(true)), []);
  if (sides === 0 || isBroken) {
    return (
      <span class={raw ? 'thumbnail label' : 'thumbnail blank'}>
        <Icon name={raw ? 'label' : 'sheet'} />
      </span>
    );
  }
  return (
    <span class="thumbnail">
      {isWanted && (
        <img src={pictureOf(id, 1, WIDTH_PX)} alt="" decoding="async" loading="lazy" onError={() => setBroken(true)} />
      )}
    </span>
  );
}
