/**
 * Job: what a caller has of one before it is submitted: its mark, its document, and what names stand for it.
 */

import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { markedDocument, newMark } from './marked-document.ts';
import type { Pipeline } from './pipeline-file.ts';
import type { PipelineWorld } from './pipeline-world.ts';
import type { Values } from './values.ts';

export interface NewJob {
  readonly mark: string;
  readonly printer: string;
  readonly values: Values;
}

export function newJob(
  printer: string,
  { submit, printers }: Pipeline,
  { random, folder, room }: PipelineWorld,
): NewJob {
  const mark = newMark(random);
  const document = markedDocument(submit.document, mark);
  const file = path.join(folder, mark);
  writeFileSync(file, document);
  const values = {
    mark,
    file,
    title: `Order ${mark}`,
    key: random.uuid(),
    document: document.toString('base64'),
    printer: printers[printer]?.as ?? printer,
    address: room.addresses[printer] ?? '',
  };
  return { mark, printer, values };
}
