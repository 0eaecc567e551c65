/**
 * Answer: a view of a response for checks. The value of its body is `unknown`: nothing that the service
 * says about itself is believed unchecked.
 */

import { parseJson } from '../../common/json-value.ts';
import { headerValues, type Exchange } from '../../wire/http-exchange.ts';

export interface Answer {
  /** Position in the history of the run. */
  readonly position: number;
  readonly exchange: Exchange;
  /** `GET /ping`: for messages. */
  readonly request: string;
  readonly status: number;
  /** The value of the JSON body, or a NotJson. */
  readonly value: unknown;
  /** The first header of this name, any case. */
  header(name: string): string | undefined;
}

export function answerOf(exchange: Exchange, position: number): Answer {
  const { request, response } = exchange;
  let parsed: { readonly value: unknown } | undefined;
  return {
    position,
    exchange,
    request: `${request.method} ${request.path}`,
    status: response.status,
    get value() {
      parsed ??= { value: parseJson(response.body) };
      return parsed.value;
    },
    header: (name) => headerValues(response.headers, name)[0],
  };
}
