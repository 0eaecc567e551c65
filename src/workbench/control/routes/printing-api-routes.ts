/**
 * Routes that describe the printing API itself: not what a workbench adds to it.
 */

import * as schema from '../../../record/control-workbench.ts';
import { printingApiOf, printingApiPage } from '../../printing-api.ts';
import { bytes, json } from '../control-reply.ts';
import { route, type ControlRoute } from '../control-route.ts';

const HTML = 'text/html; charset=utf-8';

export const PRINTING_API_ROUTES: readonly ControlRoute[] = [
  route('GET /printing-api/openapi.json', {
    summary: 'the printing API that this service serves as an OpenAPI 3.1 document, with this address',
    answer: schema.openApiDocument,
    handler: (_, { url }) => json(printingApiOf(url)),
  }),
  route('GET /printing-api/openapi.html', {
    summary: 'the same as a page, without a script',
    answer: 'text/html',
    handler: () => bytes(HTML, Buffer.from(printingApiPage())),
  }),
];
