/**
 * CPU profiles that Node wrote, summed up by part of the program: where the time of a process went.
 *
 *   samples ─► the frame on top ─► its part: src/service/store, node_modules/ws, node:http, (garbage collector)
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export interface ProfiledProcess {
  readonly file: string;
  /** Busy, in milliseconds. */
  readonly busyMs: number;
  /** Share of the whole time in which the process was busy, 0 to 1. */
  readonly busy: number;
  /** Shares of the busy time, the greatest first. */
  readonly parts: readonly (readonly [part: string, share: number])[];
}

/** Every profile in the folder, the busiest process first. */
export function readCpuProfiles(folder: string): readonly ProfiledProcess[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.cpuprofile'))
    .map((file) => summed(file, JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile))
    .toSorted((one, other) => other.busyMs - one.busyMs);
}

function summed(file: string, { nodes, samples, timeDeltas }: CpuProfile): ProfiledProcess {
  const partOfNode = new Map(nodes.map(({ id, callFrame }) => [id, partOf(callFrame)]));
  const byPart = new Map<string, number>();
  samples.forEach((node, index) => {
    const part = partOfNode.get(node) ?? '';
    byPart.set(part, (byPart.get(part) ?? 0) + (timeDeltas[index] ?? 0));
  });
  const whole = [...byPart.values()].reduce((sum, us) => sum + us, 0);
  byPart.delete('(idle)');
  const busyUs = [...byPart.values()].reduce((sum, us) => sum + us, 0);
  const parts = [...byPart].map(([part, us]) => [part, us / Math.max(1, busyUs)] as const);
  return {
    file,
    busyMs: busyUs / 1_000,
    busy: busyUs / Math.max(1, whole),
    parts: parts.toSorted(([, one], [, other]) => other - one),
  };
}

function partOf({ functionName, url }: CpuProfile['nodes'][number]['callFrame']): string {
  const [own] = /src\/[^/]+(\/[^/]+(?=\/))?/.exec(url) ?? [];
  const [, library] = /node_modules\/((@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (library !== undefined) return library;
  if (own !== undefined) return own;
  // What has no address is native: the frame says which.
  return url === '' ? functionName || '(native)' : url.split('/')[0] || url;
}
