/**
 * Exchange view: a request and its answer as they went over the wire, and a command that repeats it.
 */

import type { JSX } from 'preact';

import type { ExchangeRecord } from '../../record/check-record.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { prettyJson } from '../parts/format.ts';
import { StatusChip } from '../parts/status-chip.tsx';

interface ExchangeViewProps {
  readonly exchange: ExchangeRecord;
  readonly isOpen: boolean;
}

export function ExchangeView({ exchange, isOpen }: ExchangeViewProps): JSX.Element {
  const { request, response, curl } = exchange;
  return (
    <details class="exchange" open={isOpen}>
      <summary>
        <span class="method">{request.method}</span>
        <span class="grow path">{request.path}</span>
        <StatusChip status={response.status} />
      </summary>
      <CodeBlock code={messageText(request.headers, request.body)} what="the request" />
      <CodeBlock code={messageText(response.headers, response.body)} what="the answer" />
      <CopyButton text={curl} what="the request as curl" label="curl" />
    </details>
  );
}

function messageText(headers: ExchangeRecord['request']['headers'], body: string): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return body === '' ? lines.join('\n') : `${lines.join('\n')}\n\n${prettyJson(body)}`;
}
