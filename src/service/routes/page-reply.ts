/**
 * The answer to a collection request: one page of records as a JSON array, and the Records-* headers.
 */

import { cutPage } from '../gate/pagination.ts';
import type { RequestContext, Reply } from '../request-context.ts';
import type { ServiceState } from '../service-state.ts';

/**
 * A page of computers or printers.
 *
 * @param select - the whole collection, sorted by ascending id
 */
export function pageReply<T extends { readonly id: number }>(
  state: ServiceState,
  context: RequestContext,
  select: (state: ServiceState, context: RequestContext) => readonly T[],
  render: (record: T) => string,
): Reply {
  const request = `${context.account.id} ${context.target}`;
  return state.deviceLists.get(request, state.deviceRevision.value, () =>
    cut(state, context, select(state, context), render),
  );
}

function cut<T extends { readonly id: number }>(
  { rules, choices }: ServiceState,
  { query }: RequestContext,
  ascending: readonly T[],
  render: (record: T) => string,
): Reply {
  const page = rules.parsePage(query, choices.limitMaximum);
  const result = cutPage(ascending, page);
  return {
    status: 200,
    json: `[${result.items.map(render).join(',')}]`,
    headers: rules.pageHeaders(page, result),
  };
}
