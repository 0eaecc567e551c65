/**
 * Link computer: the messages of a computer on a raw link, for checks of docs/device-link.md.
 */

import { showValue, type JsonObject } from '../../common/json-value.ts';
import { asRecords, isId } from '../expect/records.ts';
import { CheckEnded } from './check-ended.ts';
import { plainPrinter, type Owner } from './computers.ts';
import type { CheckContext } from './context.ts';
import type { RawLink, RawLinkPlan } from './raw-link.ts';

export interface JoinPlan extends RawLinkPlan {
  readonly installationId?: string;
  /** Whose computer it is. Default: of the account. */
  readonly owner?: Owner;
  readonly holding?: readonly number[];
  /** Fields that the page does not have. */
  readonly more?: JsonObject;
}

/** A connection that has been welcomed. */
export interface JoinedLink extends RawLink {
  readonly installationId: string;
  readonly computerId: number;
  readonly welcome: JsonObject;
}

export function hello(context: CheckContext, { installationId, holding = [], more = {} }: JoinPlan = {}): JsonObject {
  const client = {
    installationId: installationId ?? context.naming.uuid(),
    computerName: context.uniqueText('computer'),
    hostname: null,
    inet: '192.0.2.20',
    inet6: null,
    version: '1.0.0',
    edition: null,
    ...more,
  };
  return { type: 'hello', client, holding, ...more };
}

/** Connects, says hello and is welcomed. Ends the check as blocked where it is not. */
export async function join(context: CheckContext, plan: JoinPlan = {}): Promise<JoinedLink> {
  const installationId = plan.installationId ?? context.naming.uuid();
  const { owner = 'account' } = plan;
  const ownKey = owner === 'account' ? context.target.apiKey : context.target.secondApiKey;
  const { key = ownKey ?? null } = plan;
  const link = await context.openRawLink({ ...plan, key });
  if (link.refusal) throw new CheckEnded('blocked', `the link was refused with ${link.refusal.status}`);
  link.say(hello(context, { ...plan, installationId }));
  const welcome = await link.hear(({ type }) => type === 'welcome');
  const computerId = welcome?.['computerId'];
  if (!welcome || !isId(computerId)) throw new CheckEnded('blocked', 'hello was not answered with a welcome');
  context.computers.adopt(computerId, owner);
  return Object.defineProperties(
    { installationId, computerId, welcome },
    Object.getOwnPropertyDescriptors(link),
  ) as JoinedLink;
}

/** Reports a plain printer, and returns its id in the API. Ends the check as blocked where that fails. */
export async function withPrinter(context: CheckContext, link: JoinedLink): Promise<number> {
  await report(link, printersReport('p1'));
  const { value } = await context.api.get(`/computers/${link.computerId}/printers`);
  const id = asRecords(value)?.[0]?.['id'];
  if (!isId(id)) throw new CheckEnded('blocked', `a printer that was reported is not listed: ${showValue(value)}`);
  return id;
}

/** A report of the plain printer under each of these names, which all have its key. */
export function namesakesReport(id: string, names: readonly string[]): JsonObject {
  return { type: 'printers', id, printers: names.map((name) => plainPrinter({ name })) };
}

export function printersReport(id: string, name = 'Plain Printer', more: JsonObject = {}): JsonObject {
  return { type: 'printers', id, printers: [{ ...plainPrinter({ name }), ...more }], ...more };
}

export function stateReport(jobId: number, state: string, id: string): JsonObject {
  const createTimestamp = new Date(STATE_MS).toISOString();
  return { type: 'job-state', id, jobId, state, message: null, data: null, createTimestamp };
}

/** On the computer's clock, which a service does not trust. */
const STATE_MS = Date.UTC(2026, 0, 1);

/** Sends a report; whether it is acknowledged. */
export async function report(link: RawLink, message: JsonObject): Promise<boolean> {
  link.say(message);
  return (await link.hear(({ type, id }) => type === 'ack' && id === message['id'])) !== undefined;
}

/** The delivery of a job on this connection, as soon as it is there. */
export function deliveryOf(link: RawLink, jobId: number): Promise<JsonObject | undefined> {
  return link.hear((message) => message['type'] === 'job' && message['jobId'] === jobId);
}

/** Ids of the jobs delivered on this connection so far, in order. */
export function deliveredTo(link: RawLink): readonly unknown[] {
  return link.messages.filter(({ type }) => type === 'job').map(({ jobId }) => jobId);
}

/** Acknowledges the delivery of a job, once it has come. Ends the check as blocked when it does not. */
export async function take(link: RawLink, jobId: number): Promise<void> {
  if (!(await takeIfThere(link, jobId))) throw new CheckEnded('blocked', `job ${jobId} was not delivered`);
}

/** As take, of a delivery that need not come. @returns whether it has */
export async function takeIfThere(link: RawLink, jobId: number): Promise<boolean> {
  const delivery = await deliveryOf(link, jobId);
  if (delivery) link.say({ type: 'ack', id: delivery['id'] });
  return delivery !== undefined;
}
