/**
 * Submission: the body of a print job as a caller sends it.
 */

import { isPdfName, readDocument } from '../vocabulary/documents.ts';
import type { Setup } from '../setup/setup.ts';

/** What a scenario says of a job; one of the four kinds of content is there. */
export interface JobArgs {
  readonly as: string;
  readonly printer: string;
  readonly document?: string;
  readonly uri?: string;
  readonly content?: string;
  readonly base64?: string;
  readonly kind?: 'pdf' | 'raw';
  readonly options?: Readonly<Record<string, unknown>> | null;
  readonly qty?: number;
  readonly expireAfter?: number;
  readonly title?: string;
  readonly source?: string;
  readonly authentication?: { readonly type: string; readonly user: string; readonly pass: string };
}

export interface Submission {
  readonly json: Readonly<Record<string, unknown>>;
  /** The bytes of the document; undefined where the client gets them itself. */
  readonly content: Uint8Array | undefined;
}

export async function submissionOf(job: JobArgs, setup: Setup): Promise<Submission> {
  const { authentication, options, qty, expireAfter, source } = job;
  const content = contentOf(job, setup);
  const given = { options, qty, expireAfter, source };
  const json = {
    printerId: await setup.printerId(job.printer),
    title: job.title ?? job.as,
    contentType: `${kindOf(job)}_${content ? 'base64' : 'uri'}`,
    content: content?.base64 ?? (await addressOf(job.uri ?? '', setup)),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...(authentication && {
      authentication: {
        type: authentication.type,
        credentials: { user: authentication.user, pass: authentication.pass },
      },
    }),
  };
  return { json, content: content?.bytes };
}

interface Content {
  readonly bytes: Uint8Array;
  /** As it is sent: a caller may write it in its own way. */
  readonly base64: string;
}

function contentOf({ document, content, base64 }: JobArgs, { folder }: Setup): Content | undefined {
  if (base64 !== undefined) return { bytes: Buffer.from(base64, 'base64'), base64 };
  if (document !== undefined) return encoded(readDocument(document, folder));
  return content === undefined ? undefined : encoded(Buffer.from(content));
}

function encoded(bytes: Uint8Array): Content {
  return { bytes, base64: Buffer.from(bytes).toString('base64') };
}

function kindOf({ kind, document, uri }: JobArgs): 'pdf' | 'raw' {
  if (kind !== undefined) return kind;
  return uri !== undefined || (document !== undefined && isPdfName(document)) ? 'pdf' : 'raw';
}

async function addressOf(uri: string, { sinks }: Setup): Promise<string> {
  return uri.startsWith('/') ? (await sinks.documents()).url + uri : uri;
}
