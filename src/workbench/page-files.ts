/**
 * Page files: serves the page below /_platen: what the build made of src/dashboard.
 *
 *   /_platen/                       index.html
 *   /_platen/jobs/7  …              index.html, for a browser; a program gets JSON there
 *   /_platen/assets/NAME-HASH.js    a file that never changes under its name
 *
 * There is nothing secret in these files: everything the page shows it asks the control API for.
 */

import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const PAGE_PREFIX = '/_platen';
const INDEX = 'index.html';
const ASSETS = `${PAGE_PREFIX}/assets/`;
/** Paths of the page's own views. `jobs/wait` is not a job. */
const VIEW = /^\/_platen(?:\/?$|\/(?:jobs|room|traffic|runs)(?:\/(?!wait$)[^/]+)?\/?$)/;

/** The build lies in dist/; this module lies in it, or beside it in a checkout. */
const BUILT = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/dashboard/' : '../dashboard/', import.meta.url),
);

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Nothing from anywhere else, nothing inline, in no frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const ALWAYS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // The same path answers a program with JSON.
  vary: 'Accept, Accept-Encoding',
};

interface PageFile {
  readonly contentType: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

export class PageFiles {
  readonly #folder: string;
  #whole: ReadonlyMap<string, PageFile> | undefined;

  /** @param folder - of the build; that of this package unless given */
  constructor(folder: string = BUILT) {
    this.#folder = folder;
  }

  /** Answers a request for the page or a part of it; false when it is for something else. */
  serve(request: IncomingMessage, response: ServerResponse): boolean {
    const [pathname = ''] = (request.url ?? '').split('?');
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    if (pathname === '/' && wantsHtml(request)) return redirect(response);
    if (pathname.startsWith(ASSETS)) {
      const file = this.#files().get(`assets/${pathname.slice(ASSETS.length)}`);
      return file !== undefined && send(request, response, file, 'max-age=31536000, immutable');
    }
    if (!VIEW.test(pathname) || !(wantsHtml(request) || isRoot(pathname, request))) return false;
    const index = this.#files().get(INDEX);
    return index ? send(request, response, index, 'no-cache') : sendRemedy(response);
  }

  /** Answers a browser that asks for what is not there with the page, which says so; false for a program. */
  serveLost(request: IncomingMessage, response: ServerResponse): boolean {
    const index = wantsHtml(request) ? this.#files().get(INDEX) : undefined;
    return index !== undefined && send(request, response, index, 'no-cache', 404);
  }

  /** By path; kept once they are all there: the build may be under way. */
  #files(): ReadonlyMap<string, PageFile> {
    if (this.#whole) return this.#whole;
    const found = readFiles(this.#folder);
    if (isWhole(found)) this.#whole = found;
    return found;
  }
}

function wantsHtml({ headers: { accept = '' } }: IncomingMessage): boolean {
  return accept.includes('text/html');
}

/** The address that `platen start` prints: nothing else is there, so that a program such as curl gets the page too. */
function isRoot(pathname: string, { headers: { accept = '' } }: IncomingMessage): boolean {
  return /^\/_platen\/?$/.test(pathname) && !accept.includes('json');
}

function redirect(response: ServerResponse): true {
  response.writeHead(302, { location: `${PAGE_PREFIX}/` }).end();
  return true;
}

function send(
  { headers, method }: IncomingMessage,
  response: ServerResponse,
  file: PageFile,
  cacheControl: string,
  status = 200,
): true {
  const isGzip = /\bgzip\b/.test(headers['accept-encoding'] ?? '');
  const body = isGzip ? file.gzipped : file.plain;
  response.writeHead(status, {
    ...ALWAYS,
    'content-type': file.contentType,
    'content-length': body.length,
    'cache-control': cacheControl,
    ...(isGzip && { 'content-encoding': 'gzip' }),
  });
  response.end(method === 'HEAD' ? undefined : body);
  return true;
}

function sendRemedy(response: ServerResponse): true {
  response.writeHead(503, { ...ALWAYS, 'content-type': 'text/plain; charset=utf-8' });
  response.end(
    'The page has not been built in this checkout.\n\n' +
      'Build it with:  npm run page\n\n' +
      'The service and the control API below /_platen work without it.\n',
  );
  return true;
}

function readFiles(folder: string): ReadonlyMap<string, PageFile> {
  try {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.join(parentPath, name));
    return new Map(files.map((file) => [nameOf(folder, file), readPageFile(file)]));
  } catch {
    // Not built, or being built at this moment.
    return new Map();
  }
}

function nameOf(folder: string, file: string): string {
  return path.relative(folder, file).replaceAll(path.sep, '/');
}

function isWhole(found: ReadonlyMap<string, PageFile>): boolean {
  const index = found.get(INDEX)?.plain.toString('utf8') ?? '';
  const named = [...index.matchAll(/"\/_platen\/(assets\/[^"]+)"/g)].map(([, name = '']) => name);
  return named.length > 0 && named.every((name) => found.has(name));
}

function readPageFile(file: string): PageFile {
  const plain = readFileSync(file);
  return {
    contentType: CONTENT_TYPES[path.extname(file)] ?? 'application/octet-stream',
    plain,
    gzipped: gzipSync(plain),
  };
}
