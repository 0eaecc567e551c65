/**
 * Party: an account that takes part in a rule of the matrix, and what it has there: one thing of each kind that the
 * endpoints in question name. All of it is new, carries a text of its own, and is removed with the check.
 */

import { hash } from 'node:crypto';

import type { Endpoint } from '../../specification/clause.ts';
import type { PathPartName } from '../../specification/endpoints.ts';
import { LIMITS } from '../../specification/limits.ts';
import { accountOf } from '../context/account-view.ts';
import type { ApiClient } from '../context/api-client.ts';
import { CheckEnded, ifOffered } from '../context/check-ended.ts';
import type { Child } from '../context/children.ts';
import { apiKeyPath, tagPath } from '../context/account-paths.ts';
import { newKey, postTag } from '../context/keys-and-tags.ts';
import { plainPrinter, type ComputerOwner, type Owner } from '../context/computers.ts';
import type { CheckContext } from '../context/context.ts';
import { jobBody } from '../context/jobs.ts';
import { connectScales, plainScale } from '../context/scales.ts';
import { newWebhookFields, webhookAt, webhookIdOf } from '../context/webhook-settings.ts';
import { expectBody, expectStatus, expectSuccess } from '../expect/answer.ts';
import { asRecords, isId } from '../expect/records.ts';
import { downloadId } from './download-id.ts';
import { nameOf } from './matrix-rule.ts';
import { pathOf, type Values } from './sound-request.ts';

export interface Party {
  /** For messages: `a Child`. */
  readonly title: string;
  readonly api: ApiClient;
  /** Whose computers they are. */
  readonly owner: Owner | ComputerOwner;
  /** Made for the check or the run: all that it has may be deleted. */
  readonly isDisposable: boolean;
}

/** A party with its things. */
export interface Furnished extends Party {
  readonly values: Values;
  /** For a key that is not there yet. */
  readonly newKeyName: string;
  /** In every text of its things. */
  readonly marker: string;
  /** What no other account may be shown: the marker, and the API key that was made. */
  readonly texts: readonly string[];
  /** Where it was asked for. */
  readonly accountId?: unknown;
  /** A new thing of this kind; for a kind that cannot be made here, undefined. */
  readonly fresh: (name: PathPartName) => Promise<string | undefined>;
}

/** The account that the checks work in. */
export function ownParty({ api, target }: CheckContext): Party {
  return { title: 'the account', api, owner: 'account', isDisposable: target.isDisposable === true };
}

export function secondParty({ secondApi, target }: CheckContext): Party {
  const { isDisposable = false } = target;
  return { title: 'another account', api: secondApi, owner: 'second-account', isDisposable };
}

/** A Child by a key of its own. */
export async function childParty(context: CheckContext, title: string): Promise<Party & { readonly child: Child }> {
  const child = await context.children.create();
  const apiKey = await newKey(context, child.api, 'matrix');
  const api = context.callAs(apiKey);
  return { title, api, owner: { apiKey, api, cleaner: child.cleaner }, isDisposable: true, child };
}

/** As `furnish`; a party that cannot have things of its own goes without them. */
export async function furnishIfPossible(
  context: CheckContext,
  party: Party,
  endpoints: readonly Endpoint[],
): Promise<Furnished> {
  try {
    return await furnish(context, party, endpoints);
  } catch (error) {
    if (!(error instanceof CheckEnded) || error.verdict !== 'blocked') throw error;
    context.note(`${party.title} has no things of its own in this: ${error.message}`);
    const nothing = { marker: '', texts: [], values: {}, newKeyName: shortName(context) };
    return { ...party, ...nothing, fresh: () => Promise.resolve(undefined) };
  }
}

/** Enables its download again, which a request may have disabled. */
export async function enableDownload({ api, values }: Furnished): Promise<void> {
  const { download_id_set: download } = values;
  if (download !== undefined) await api.patch(`/download/clients/${download}`, { enabled: true });
}

/** Makes the things that these endpoints name, in the order in which one needs another. */
export async function furnish(context: CheckContext, party: Party, endpoints: readonly Endpoint[]): Promise<Furnished> {
  const named = new Set<string>(endpoints.flatMap(({ parts }) => parts.map(({ name }) => name)));
  const paths = new Set(endpoints.map(({ path }) => path));
  // With an end, so that none is the beginning of another.
  const marker = `${context.uniqueText('thing')}.`;
  const values: { [Name in PathPartName]?: string | undefined } = {};
  const makers = makersOf(context, party, marker, values);
  const needsComputer =
    ['computer_set', 'computer_id', 'printer_set', 'print_job_set', 'device_name'].some((name) => named.has(name)) ||
    ['/computers', '/printers', '/printjobs', '/printjobs/states'].some((path) => paths.has(path));
  // A job is not made to make a job.
  const needsJob = endpoints.some(({ method, path }) => path.includes('printjobs') && method !== 'POST');
  if (needsComputer && context.target.link) {
    // The programs of this machine share its scales: only checks that are about them have any, one at a time.
    const isWeighed = !context.target.link.program && (named.has('device_name') || named.has('computer_id'));
    Object.assign(values, isWeighed ? await makers.weighed() : await makers.computer());
    if (needsJob) values.print_job_set = await ifOffered(makers.job());
  } else if (needsComputer && mayBorrow(context, party, endpoints)) {
    values.printer_set = String((await context.computers.connect()).printerId);
    if (needsJob && named.has('print_job_set')) values.print_job_set = await ifOffered(makers.job());
  }
  if (named.has('webhook_id') || paths.has('/webhooks')) values.webhook_id = await ifOffered(makers.webhook());
  if (named.has('name')) values.name = await ifOffered(makers.tag());
  const { name: description, key } = (named.has('description') ? await ifOffered(makers.apiKey()) : undefined) ?? {};
  values.description = description;
  if (named.has('download_id_set')) values.download_id_set = await ifOffered(aDownload(party.api));
  const again: Readonly<Partial<Record<PathPartName, () => Promise<string | undefined>>>> = {
    computer_set: async () => (await makers.computer()).computer_set,
    print_job_set: makers.job,
    webhook_id: makers.webhook,
    name: makers.tag,
    description: async () => (await makers.apiKey()).name,
  };
  const texts = key === undefined ? [marker] : [marker, key];
  const accountId = paths.has('/whoami') ? (await accountOf(context, party.api))['id'] : undefined;
  return {
    ...party,
    marker,
    newKeyName: shortName(context),
    texts,
    accountId,
    values,
    fresh: (name) => again[name]?.() ?? Promise.resolve(values[name]),
  };
}

/** Whether a printer of another client will do: jobs that wait there are not ours to cancel. */
function mayBorrow({ target }: CheckContext, { owner }: Party, endpoints: readonly Endpoint[]): boolean {
  const isHarmless = endpoints.every(
    (endpoint) => endpoint.effect === 'none' || nameOf(endpoint) === 'POST /printjobs',
  );
  return target.usePrinter !== undefined && owner === 'account' && isHarmless;
}

/** Within the limit of names at creation, which a service may have for all keys; of this run alone, as its texts. */
function shortName({ uniqueText }: CheckContext): string {
  return `key-${hash('sha256', uniqueText('key'))}`.slice(0, LIMITS.apiKeyNameBytes.value);
}

function devicesOf(id: number, printerId: number): Values {
  return { computer_set: String(id), printer_set: String(printerId) };
}

/** What makes a thing of each kind. */
function makersOf(context: CheckContext, { api, owner }: Party, marker: string, values: Values) {
  const { computers, require, uniqueText, removeLater } = context;
  // What a Child has goes with it.
  const removeWithCheck = (path: string) => {
    if (typeof owner === 'string') removeLater(path, owner);
  };
  const printers = [plainPrinter({ description: marker })];
  return {
    computer: async () => {
      const { computerId, printerId } = await computers.away({ owner, name: marker, printers });
      return devicesOf(computerId, printerId);
    },
    /** A computer that has weighed something and gone. */
    weighed: async () => {
      const scale = plainScale('scale-1', { deviceName: marker });
      const { computer, weigh } = await connectScales(context, [scale], { owner, name: marker, printers });
      await weigh('scale-1');
      await computer.disconnect();
      await context.elapse(0);
      const { computerId, printerId } = computer;
      return {
        ...devicesOf(computerId, printerId),
        computer_id: String(computerId),
        device_name: marker,
        device_number: '0',
      };
    },
    job: async () => {
      if (values.printer_set === undefined) return undefined;
      const answer = await api.post('/printjobs', jobBody(Number(values.printer_set), { title: marker }));
      require(expectStatus(answer, 201), expectBody(answer, 'the id of the job', isId));
      return String(answer.value);
    },
    webhook: async () => {
      const fields = newWebhookFields(context, { secret: marker });
      const answer = await api.post('/webhook', fields);
      const id = webhookIdOf(webhookAt(answer, fields.url));
      require(expectSuccess(answer), expectBody(answer, 'the new webhook among others', () => isId(id)));
      return String(id);
    },
    tag: async () => {
      const name = uniqueText('tag').slice(-64);
      require(expectSuccess(await postTag(context, name, marker, api)));
      removeWithCheck(tagPath(name));
      return name;
    },
    apiKey: async () => {
      const name = shortName(context);
      const key = await newKey(context, api, name);
      removeWithCheck(apiKeyPath(name));
      return { name, key };
    },
  };
}

/** The id of a download that is shown as enabled; undefined when none is. */
export async function aDownload(api: ApiClient): Promise<string | undefined> {
  const answer = await api.get('/download/clients');
  const record = asRecords(answer.value)?.find(({ enabled }) => enabled === true);
  const id = record && downloadId(answer, record);
  return isId(id) ? String(id) : undefined;
}

/** What is created by its name has one that is not there yet. */
export function valuesFor({ effect }: Endpoint, { values, marker, newKeyName }: Furnished): Values {
  return effect === 'creates' ? { ...values, name: `${marker}-new`, description: newKeyName } : values;
}

/** What lists do not show and these endpoints may change: tags and keys by their names. */
export function unlistedPaths(endpoints: readonly Endpoint[], party: Furnished): readonly string[] {
  const named = endpoints.filter(
    ({ effect, parts }) => effect !== 'none' && parts.some(({ thing }) => thing === 'tag' || thing === 'API key'),
  );
  return [...new Set(named.map((endpoint) => pathOf(endpoint, valuesFor(endpoint, party))))];
}
