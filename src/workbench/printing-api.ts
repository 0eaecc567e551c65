/**
 * Printing API: its OpenAPI document, and the same as a page. Both ship in docs/, where docs/generate/printing-api
 * writes them from src/specification.
 */

import { readFileSync } from 'node:fs';

import { z } from 'zod';

import { parseAs } from '../common/json-value.ts';

/** As much of the document as is changed here. */
const servers = z.looseObject({
  servers: z.tuple([z.looseObject({ variables: z.object({ base_url: z.looseObject({ default: z.string() }) }) })]),
});

/** docs/openapi.json. */
export function printingApiDocument(): string {
  return shipped('openapi.json');
}

/** The document with another address in it. @param url - of the service */
export function printingApiOf(url: string): unknown {
  const parsed = parseAs(servers, printingApiDocument());
  if (!parsed.ok) throw new Error(`docs/openapi.json: ${parsed.error}`);
  parsed.value.servers[0].variables.base_url.default = url;
  return parsed.value;
}

/** docs/openapi.html: one file without a script. */
export function printingApiPage(): string {
  return shipped('openapi.html');
}

function shipped(file: string): string {
  return readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8');
}
