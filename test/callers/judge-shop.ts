/**
 * Judges the shop (shop.mjs) as it does one thing, with what it gets wrong.
 */

import { fileURLToPath } from 'node:url';

import { provoke, type ProvokeOptions, type JudgedMoment, type Provoked } from '../../src/caller/provoke.ts';
import { momentText, readMoment } from '../../src/record/moments.ts';
import type { CallerCell } from './caller-cells.ts';

const SHOP = fileURLToPath(new URL('shop.mjs', import.meta.url));

/** @param moment - this one alone; all that it meets unless given */
export async function judgeShop(
  mode: string,
  sins = '',
  moment?: string,
  fast?: ProvokeOptions['fast'],
): Promise<Provoked> {
  const provoked = await provoke({
    command: { file: process.execPath, args: [SHOP, mode, sins], windowsVerbatimArguments: false },
    workbench: {},
    fast,
    signal: new AbortController().signal,
    moment: moment === undefined ? undefined : readMoment(moment),
    onMoment: () => undefined,
  });
  if ('unfit' in provoked) throw new Error(`${mode} ${sins}: ${provoked.unfit} ${provoked.output}`);
  return provoked;
}

export function isCaught({ moment, shows }: CallerCell, { moments }: Provoked): boolean {
  const judged = moments.find((one) => momentText(one.moment) === moment);
  return judged !== undefined && (judged.verdict === shows || judged.breaks.some(({ clause }) => clause === shows));
}

/** What a sound app is accused of: a sentence each. */
export function accusationsOf({ moments, unharmedBreaks }: Provoked): readonly string[] {
  const wrong = moments.filter((judged) => !LAWFUL.includes(judged.verdict));
  return [
    ...wrong.map(({ moment, verdict }) => `${momentText(moment)}: ${verdict}`),
    ...[...unharmedBreaks, ...moments.flatMap(({ breaks }) => breaks)].map(({ clause, at }) => `${clause} at ${at}`),
  ];
}

const LAWFUL: readonly JudgedMoment['verdict'][] = ['printed-once', 'told', 'taken-no-paper', 'not-reached'];
