/**
 * HAR: requests as an HTTP archive (version 1.2), for the tools that read one. Secrets were taken out before.
 */

import type { BodyText, TrafficEntry } from '../../record/control-types.ts';

export function harOf(entries: readonly TrafficEntry[], url: string, version: string): object {
  return {
    log: {
      version: '1.2',
      creator: { name: 'platen', version },
      // Oldest first.
      entries: entries.toReversed().map((entry) => entryOf(entry, url)),
    },
  };
}

function entryOf(entry: TrafficEntry, url: string): object {
  const { timeMs, durationMs, method, path, status, requestHeaders, requestBody, responseHeaders, responseBody } =
    entry;
  const target = new URL(path, url);
  return {
    startedDateTime: new Date(timeMs).toISOString(),
    time: durationMs,
    request: {
      method,
      url: target.href,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headersOf(requestHeaders),
      queryString: [...target.searchParams].map(([name, value]) => ({ name, value })),
      ...(requestBody && requestBody.bytes > 0 && { postData: postDataOf(requestHeaders, requestBody) }),
      headersSize: -1,
      bodySize: requestBody?.bytes ?? -1,
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headersOf(responseHeaders),
      content: {
        size: responseBody?.bytes ?? 0,
        mimeType: typeOf(responseHeaders),
        ...(responseBody && { text: responseBody.text }),
      },
      redirectURL: responseHeaders?.['location'] ?? '',
      headersSize: -1,
      bodySize: responseBody?.bytes ?? -1,
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
  };
}

type Headers = TrafficEntry['requestHeaders'];

function headersOf(headers: Headers): readonly { readonly name: string; readonly value: string }[] {
  return Object.entries(headers ?? {}).map(([name, value]) => ({ name, value }));
}

function typeOf(headers: Headers): string {
  return headers?.['content-type'] ?? '';
}

function postDataOf(headers: Headers, { text }: BodyText): object {
  return { mimeType: typeOf(headers), text };
}
