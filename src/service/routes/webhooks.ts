/**
 * Routes of the family "webhooks". Each answers with the list as it is after the change, newest first.
 */

import type { Webhook } from '../domain/webhook.ts';
import { badRequest, notFound } from '../gate/api-error.ts';
import { parseId } from '../gate/id-set.ts';
import { ok, type Handler, type Reply, type RequestContext } from '../gate/request-context.ts';
import type { Route } from '../gate/router.ts';
import { readWebhookChange, readWebhookFields } from '../requests/webhook-request.ts';
import type { ServiceState } from '../service-state.ts';

export function webhookRoutes(state: ServiceState): Route<Handler>[] {
  return [
    { method: 'GET', path: '/webhooks', handler: (context) => list(state, context) },
    { method: 'POST', path: '/webhook', handler: (context) => create(state, context) },
    { method: 'PATCH', path: '/webhook/{webhook_id}', handler: (context) => change(state, context) },
    { method: 'DELETE', path: '/webhook/{webhook_id}', handler: (context) => remove(state, context) },
  ];
}

function list({ webhooks, clock, choices }: ServiceState, { account }: RequestContext): Reply {
  const own = webhooks.ofAccount(account.id);
  const ordered = choices.webhooksNewestFirst ? own.toReversed() : own;
  const described = ordered.map((webhook) => webhooks.describe(webhook, clock.now(), choices.statisticsNesting));
  return ok(JSON.stringify(described));
}

function create(state: ServiceState, context: RequestContext): Reply {
  const { webhooks, database, clock } = state;
  const fields = readWebhookFields(context.body);
  ensureMayLeadTo(state, fields.url);
  if (!webhooks.hasRoom(context.account.id)) throw badRequest('an account can have at most five webhooks');
  database.write(() => webhooks.create(context.account.id, fields, clock.now()));
  return list(state, context);
}

function change(state: ServiceState, context: RequestContext): Reply {
  const webhook = find(state, context);
  const fields = readWebhookChange(context.body ?? {});
  if (fields.url !== undefined) ensureMayLeadTo(state, fields.url);
  state.database.write(() => state.webhooks.change(webhook, fields));
  return list(state, context);
}

function remove(state: ServiceState, context: RequestContext): Reply {
  const webhook = find(state, context);
  state.database.write(() => state.webhooks.remove(webhook));
  return list(state, context);
}

/** @throws ApiError 400 with the reason of the program that runs the service */
function ensureMayLeadTo({ refuseWebhook }: ServiceState, url: string): void {
  const reason = refuseWebhook?.(new URL(url));
  if (reason !== undefined) throw badRequest(`url: ${reason}`);
}

/** @throws ApiError 404 when the account has no such webhook */
function find({ webhooks }: ServiceState, { account, params }: RequestContext): Webhook {
  const id = parseId(params['webhook_id'] ?? '', 'webhook_id');
  const webhook = webhooks.byId(id);
  if (webhook?.accountId !== account.id) throw notFound(`there is no webhook ${id}`);
  return webhook;
}
