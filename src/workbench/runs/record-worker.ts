/**
 * Record worker: the thread in which a record that came over HTTP is parsed and checked, so that other
 * requests need not wait for a large one. Started by record-reader.ts.
 */

import { parentPort } from 'node:worker_threads';

import { messageOf } from '../../common/error-message.ts';
import { isObject } from '../../common/json-value.ts';
import { readValueAs } from '../../common/schema-problems.ts';
import type { RunSummaryView } from '../../record/control-types.ts';
import { SCHEMAS, type RunRecord } from '../../record/run-record.ts';
import { ApiError, badRequest } from '../../service/gate/api-error.ts';
import { parseBody } from '../json-body.ts';
import { summaryOf } from './run-summary.ts';

export interface PostedRecord {
  /** The id of the run, in the address. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

export type RecordReply =
  | { readonly view: RunSummaryView }
  | { readonly status: number; readonly code: string; readonly message: string };

/** A full check has 30,000 values, nine levels deep; a load twenty for each second. */
const RECORD_LIMITS = { levels: 64, values: 1_000_000 };
/** A key of the sender's may be as long as the record. */
const LONGEST_MESSAGE = 2_000;

parentPort?.on('message', (posted: PostedRecord) => {
  void reply(posted).then((answer) => parentPort?.postMessage(answer, []));
});

async function reply(posted: PostedRecord): Promise<RecordReply> {
  try {
    return { view: await viewOf(posted) };
  } catch (error) {
    const { status, code } = error instanceof ApiError ? error : { status: 500, code: 'InternalError' };
    return { status, code, message: messageOf(error).slice(0, LONGEST_MESSAGE) };
  }
}

/** @throws ApiError when it is not a record of that run */
async function viewOf({ id, bytes }: PostedRecord): Promise<RunSummaryView> {
  const record = recordIn(await parseBody(bytes, RECORD_LIMITS));
  if (record.runId !== id) throw badRequest(`runId: the record is of run '${record.runId}'`);
  const view = summaryOf(id, record);
  if (view) return view;
  throw badRequest('this is not a record of a run');
}

function recordIn(body: unknown): RunRecord {
  const kinds = Object.entries(SCHEMAS);
  const [, schema] = kinds.find(([kind]) => isObject(body) && kind === body['kind']) ?? [];
  if (!schema) throw badRequest(`kind: must be ${Object.keys(SCHEMAS).join(' or ')}, as in run.json`);
  const read = readValueAs<RunRecord>(schema, body);
  if (read.ok) return read.value;
  throw badRequest(`the record: ${read.error}`);
}
