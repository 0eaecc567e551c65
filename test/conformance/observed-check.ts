/**
 * A whole check of the reference service, with every exchange held against docs/openapi.json.
 */

import { runConformance, type ConformanceResult } from '../../src/conformance/run/run-conformance.ts';
import type { AnsweredRequest } from '../../src/service/service-observer.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';
import { OpenApiValidator, type ObservedExchange } from '../support/openapi-validator.ts';

export interface ObservedCheck {
  readonly result: ConformanceResult;
  /** Exchanges that were held against the document. */
  readonly validated: number;
  /** Those that it does not describe: other paths, other methods. */
  readonly undescribed: number;
  /** Operations that were seen to succeed. */
  readonly succeeded: ReadonlySet<string>;
  /** Each once, with what it was found in. */
  readonly problems: readonly string[];
}

/** Requests that checks send though the specification does not print them, and that the reference service takes. */
const TAKEN_ALL_THE_SAME: readonly RegExp[] = [
  // An empty parameter stands for none.
  /^GET .*\?(limit|dir)= 200: query \1 /,
  // A null stands for a field that is left out, and as a whole body for no change.
  /^POST \/printjobs 201: request\/(title|source|expireAfter|qty) must be \w+$/,
  /^POST \/account 201: request\/(Account\/creatorRef|ApiKeys) must be \w+$/,
  /^PATCH \/account 200: request\/creatorRef must be \w+$/,
  /^PATCH \/webhook\/N 200: request must be object$/,
];

/** A JSON null in a request: such exchanges are few, and none of them is left out. */
const A_NULL = /^\s*null\s*$|:\s*null\b/;

const nothing = (): void => undefined;
const DEAF = { submitted: nothing, jobState: nothing, connection: nothing, delivered: nothing };

/** @param mostOfEach - exchanges of one kind (operation and status) that are looked at */
export async function observeCheck(mostOfEach = Number.POSITIVE_INFINITY): Promise<ObservedCheck> {
  const validator = new OpenApiValidator();
  const problems = new Set<string>();
  const seen = new Map<string, number>();
  let validated = 0;
  let undescribed = 0;
  const answered = (request: AnsweredRequest): void => {
    const exchange = exchangeOf(request);
    const isOdd = A_NULL.test(exchange.requestBody ?? '');
    const kind = `${validator.kindOf(exchange)} ${request.status} ${isOdd}`;
    const count = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, count);
    if (count > mostOfEach) return;
    const found = validator.problemsOf(exchange);
    if (found) validated++;
    else undescribed++;
    for (const problem of found ?? []) {
      const { method, target, status } = request;
      problems.add(`${method} ${target.replaceAll(/\d+/g, 'N')} ${status}: ${problem}`);
    }
  };
  const target = await startEmbeddedTarget({ observer: { ...DEAF, answered } });
  const result = await runConformance({ target, seed: 1 });
  await target.close();
  return {
    result,
    validated,
    undescribed,
    succeeded: validator.succeeded,
    problems: [...problems].filter((problem) => !isTaken(problem)),
  };
}

function isTaken(problem: string): boolean {
  return TAKEN_ALL_THE_SAME.some((taken) => taken.test(problem));
}

function exchangeOf({ requestHeaders, requestBody, responseHeaders, ...exchange }: AnsweredRequest): ObservedExchange {
  return {
    ...exchange,
    requestHeaders: headersOf(requestHeaders),
    requestBody: requestBody && Buffer.from(requestBody).toString('utf8'),
    responseHeaders: headersOf(responseHeaders),
  };
}

function headersOf(flat: readonly string[]): Map<string, string> {
  const pairs = Array.from({ length: flat.length / 2 }, (_, index): [string, string] => [
    (flat[2 * index] ?? '').toLowerCase(),
    flat[2 * index + 1] ?? '',
  ]);
  return new Map(pairs);
}
