/**
 * Document host: serves the documents that computers fetch by address. It is as fast as it can be and keeps no log:
 * the load measures the service and the computers, not this host.
 */

import { createServer } from 'node:http';

import { portOf } from '../../common/port-of.ts';
import type { PreparedDocument } from './documents.ts';

export interface DocumentHost {
  uriOf(document: PreparedDocument): string;
  close(): Promise<void>;
}

const MEDIA_TYPES: Readonly<Record<PreparedDocument['language'], string>> = {
  pdf: 'application/pdf',
  raw: 'application/octet-stream',
};

/** Hosts the documents that are not sent with their submission. */
export async function openDocumentHost(documents: readonly PreparedDocument[]): Promise<DocumentHost> {
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
  return { uriOf: ({ sha256 }) => `${base}/${sha256}`, close };
}

const NOTHING_TO_HOST: DocumentHost = {
  uriOf: ({ name }) => {
    throw new Error(`the document ${name} travels with its submissions`);
  },
  close: () => Promise.resolve(),
};
