/**
 * Traffic of a check beside its requests, as lines: the frames of its computers, and what its webhooks were sent.
 */

import type { CheckRecord, DeliveryRecord, FrameRecord } from '../../record/check-record.ts';

/** Something that happened, in milliseconds after the check began. */
export interface TrafficLine {
  readonly atMs: number;
  readonly line: string;
}

/** All of it, oldest first. */
export function trafficOf({ frames = [], deliveries = [] }: CheckRecord['evidence']): readonly TrafficLine[] {
  const lines = [
    ...frames.map((frame) => ({ atMs: frame.atMs, line: frameLine(frame) })),
    ...deliveries.map((delivery) => ({ atMs: delivery.atMs, line: deliveryLine(delivery) })),
  ];
  return lines.toSorted((left, right) => left.atMs - right.atMs);
}

/** Shown where there is room for a few. */
const TELLING_MOST = 6;

/** The last of it before the first clause was found broken; all of it where none was. */
export function tellingTraffic(evidence: CheckRecord['evidence']): readonly string[] {
  const brokenMs = evidence.judgements.find(({ mismatch }) => mismatch)?.atMs ?? Number.POSITIVE_INFINITY;
  return trafficOf(evidence)
    .filter(({ atMs }) => atMs <= brokenMs)
    .slice(-TELLING_MOST)
    .map(({ line }) => line);
}

function frameLine({ computer, from, text }: FrameRecord): string {
  return `computer '${computer}' ${from === 'computer' ? '→' : '←'} service: ${text}`;
}

function deliveryLine({ method, path, headers, body, reply }: DeliveryRecord): string {
  const secret = headers.filter(([name]) => /secret/i.test(name)).map((pair) => `, ${pair.join(': ')}`);
  return `webhook ${method} ${path}${secret.join('')}: ${body} (answered: ${reply})`;
}
