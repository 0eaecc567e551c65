/**
 * Page files: serves the page below /_platen: what the build made of src/dashboard.
 *
 *   /_platen/  /_platen/jobs/7  …   index.html, for a browser; a program gets JSON there
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
/** Paths of the page's own views; with anything below the first name. */
const VIEW = /^\/_platen(?:\/?$|\/(?:jobs|room|traffic|runs)(?:\/[^/]+)?\/?$)/;

/** The build lies in dist/; this module lies in it, or beside it in a checkout. */
const FOLDER = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/dashboard/' : '../dashboard/',
  import.meta.url,
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
  "img-src 'self'",
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

/** Answers a request for the page or a part of it; false when it is for something else. */
export function servePage(request: IncomingMessage, response: ServerResponse): boolean {
  const [pathname = ''] = (request.url ?? '').split('?');
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  if (pathname === '/' && wantsHtml(request)) return redirect(response);
  if (pathname.startsWith(ASSETS)) {
    return send(request, response, `assets/${pathname.slice(ASSETS.length)}`, 'max-age=31536000, immutable');
  }
  if (!VIEW.test(pathname) || !wantsHtml(request)) return false;
  return send(request, response, INDEX, 'no-cache') || sendRemedy(response);
}

function wantsHtml({ headers: { accept = '' } }: IncomingMessage): boolean {
  return accept.includes('text/html');
}

function redirect(response: ServerResponse): true {
  response.writeHead(302, { location: `${PAGE_PREFIX}/` }).end();
  return true;
}

function send(
  { headers, method }: IncomingMessage,
  response: ServerResponse,
  name: string,
  cacheControl: string,
): boolean {
  const file = files().get(name);
  if (!file) return false;
  const isGzip = /\bgzip\b/.test(headers['accept-encoding'] ?? '');
  const body = isGzip ? file.gzipped : file.plain;
  response.writeHead(200, {
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
      'Build it with:  npm run build:dashboard\n\n' +
      'The service and the control API below /_platen work without it.\n',
  );
  return true;
}

let whole: ReadonlyMap<string, PageFile> | undefined;

/** The files of the build, by path; kept once they are all there: it may be under way. */
function files(): ReadonlyMap<string, PageFile> {
  if (whole) return whole;
  const found = readFiles();
  if (isWhole(found)) whole = found;
  return found;
}

function readFiles(): ReadonlyMap<string, PageFile> {
  try {
    const entries = readdirSync(FOLDER, { recursive: true, withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.relative(fileURLToPath(FOLDER), path.join(parentPath, name)));
    return new Map(names.map((name) => [name.replaceAll(path.sep, '/'), readPageFile(name)]));
  } catch {
    return new Map();
  }
}

/** Whether everything is there that the page names. */
function isWhole(found: ReadonlyMap<string, PageFile>): boolean {
  const index = found.get(INDEX)?.plain.toString('utf8') ?? '';
  const named = [...index.matchAll(/"\/_platen\/(assets\/[^"]+)"/g)].map(([, name = '']) => name);
  return named.length > 0 && named.every((name) => found.has(name));
}

function readPageFile(name: string): PageFile {
  const plain = readFileSync(new URL(name, FOLDER));
  return {
    contentType: CONTENT_TYPES[path.extname(name)] ?? 'application/octet-stream',
    plain,
    gzipped: gzipSync(plain),
  };
}
