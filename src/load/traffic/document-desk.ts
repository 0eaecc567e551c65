/**
 * Document desk: the host of documents that travel by address. As quick as a host can be and without a log: what
 * is measured is the service and the computers, not the host.
 */

import { createServer } from 'node:http';

import { portOf } from '../../common/port-of.ts';
import type { PreparedDocument } from './documents.ts';

export interface DocumentDesk extends AsyncDisposable {
  uriOf(document: PreparedDocument): string;
  close(): Promise<void>;
}

const MEDIA_TYPES: Readonly<Record<PreparedDocument['language'], string>> = {
  pdf: 'application/pdf',
  raw: 'application/octet-stream',
};

/** Hosts the documents that are not sent with their submission. */
export async function openDocumentDesk(documents: readonly PreparedDocument[]): Promise<DocumentDesk> {
  const hosted = new Map(
    documents.filter(({ via }) => via === 'uri').map((document) => [`/${document.sha256}`, document]),
  );
  if (hosted.size === 0) return NOTHING_TO_HOST;
  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    const found = hosted.get(request.url ?? '');
    if (!found) {
      response.writeHead(404).end();
      return;
    }
    const type = MEDIA_TYPES[found.language];
    response.writeHead(200, { 'Content-Type': type, 'Content-Length': found.bytes.length }).end(found.bytes);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const base = `http://127.0.0.1:${portOf(server)}`;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { uriOf: ({ sha256 }) => `${base}/${sha256}`, close, [Symbol.asyncDispose]: close };
}

const NOTHING_TO_HOST: DocumentDesk = {
  uriOf: ({ name }) => {
    throw new Error(`the document ${name} travels with its submissions`);
  },
  close: () => Promise.resolve(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};
