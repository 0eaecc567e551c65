/**
 * Mutants with a memory: each is right as long as nothing in particular has happened before. Only checks
 * that go on after the first time meet them.
 */

import type { Meddle, PassingAnswer, PassingRequest, Rewrite } from './meddling-proxy.ts';
import { headerOf, instead, jsonOf } from './mutant-tools.ts';
import type { Mutant } from './mutant.ts';

type History = Pick<Mutant, 'rewrite' | 'meddle'>;

const REFUSAL = JSON.stringify({ uid: 'x', code: 'BadRequest', message: 'refused on the way' });
const refusal = { status: 400, body: REFUSAL };
const isGood = ({ status }: PassingAnswer): boolean => status < 300;
const numbersIn = (text: string): readonly number[] => (text.match(/\d+/g) ?? []).map(Number);
const idsIn = ({ body }: PassingAnswer): readonly number[] => (/^\[[\d,\s]*\]$/.test(body) ? numbersIn(body) : []);

const CANCEL = /^\/(printjobs|printers\/[\d,]+\/printjobs)(\/|$)/;

/** Ids of cancelled jobs, as they become known. */
function watchCancelled(): { readonly ids: Set<number>; readonly watch: (answer: PassingAnswer) => void } {
  const ids = new Set<number>();
  return {
    ids,
    watch: (answer) => {
      const { method, path } = answer;
      if (method === 'DELETE' && CANCEL.test(path)) for (const id of idsIn(answer)) ids.add(id);
    },
  };
}

/** A set with a job that is cancelled already cancels nothing. */
function cancelledSpoilsSet(): History {
  const { ids, watch } = watchCancelled();
  const isSpoilt = ({ method, path }: Pick<PassingRequest, 'method' | 'path'>): boolean => {
    const [, set] = /^\/printjobs\/([\d,]+)$/.exec(path) ?? [];
    const named = numbersIn(set ?? '');
    return method === 'DELETE' && named.length > 1 && named.some((id) => ids.has(id));
  };
  return {
    rewrite: (request) => (isSpoilt(request) ? { method: 'GET' } : undefined),
    meddle: (answer) => {
      if (isSpoilt(answer)) return { body: '[]' };
      watch(answer);
      return undefined;
    },
  };
}

/** A page after a job that is cancelled begins at the top. */
function cancelledIsNoPlace(): History {
  const { ids, watch } = watchCancelled();
  return {
    rewrite: ({ path }) => {
      const [after = '', id = ''] = /&?\bafter=(\d+)/.exec(path) ?? [];
      return ids.has(Number(id)) ? { path: path.replace(after, '').replace('?&', '?') } : undefined;
    },
    meddle: (answer) => {
      watch(answer);
      return undefined;
    },
  };
}

const keyOf = (request: PassingRequest): string | undefined => headerOf(request, 'X-Idempotency-Key');

/** Cancelling a job frees its idempotency key. */
function cancellingFreesKey(): History {
  const { ids, watch } = watchCancelled();
  const jobs = new Map<string, number>();
  const spent = (request: PassingRequest): boolean => ids.has(jobs.get(keyOf(request) ?? '') ?? 0);
  return {
    rewrite: instead(/^POST \/printjobs$/, (request) =>
      spent(request)
        ? { headers: request.headers.map((text) => (text === keyOf(request) ? `${text}-again` : text)) }
        : undefined,
    ),
    meddle: (answer) => {
      watch(answer);
      const key = keyOf(answer.request);
      if (key !== undefined && answer.status === 201) jobs.set(key, Number(answer.body));
      return undefined;
    },
  };
}

interface Hooks {
  /** The webhooks that exist. */
  live: Set<number>;
  changed: Set<number>;
  /** How often there were five since there was none. */
  timesFull: number;
  /** Deletions of what was gone already. */
  vain: number;
}

/** Follows the webhooks of the one account there is, by the lists that are answered. */
function webhooks(
  meddle: (answer: PassingAnswer, hooks: Hooks) => ReturnType<Meddle>,
  rewrite?: (request: PassingRequest, hooks: Hooks) => ReturnType<Rewrite>,
): History {
  const hooks: Hooks = { live: new Set(), changed: new Set(), timesFull: 0, vain: 0 };
  const follow = (answer: PassingAnswer): void => {
    const { method, path } = answer;
    const [id = 0] = numbersIn(path);
    if (method === 'DELETE' && !isGood(answer)) hooks.vain++;
    if (!isGood(answer)) return;
    const before = hooks.live.size;
    const list = JSON.parse(answer.body) as readonly { readonly webhookId: number }[];
    hooks.live = new Set(list.map(({ webhookId }) => webhookId));
    if (method === 'PATCH') hooks.changed.add(id);
    hooks.changed = new Set([...hooks.changed].filter((one) => hooks.live.has(one)));
    if (hooks.live.size === 5 && before < 5) hooks.timesFull++;
    if (hooks.live.size === 0) hooks.timesFull = 0;
  };
  return {
    rewrite: (request) => (request.path.startsWith('/webhook') ? rewrite?.(request, hooks) : undefined),
    meddle: (answer) => {
      if (!answer.path.startsWith('/webhook')) return undefined;
      const change = meddle(answer, hooks);
      follow(answer);
      return change;
    },
  };
}

const isCreation = ({ method, path }: Pick<PassingRequest, 'method' | 'path'>): boolean =>
  method === 'POST' && path === '/webhook';

/** Refuses a creation before it reaches the service, where `when` holds. */
function refusingCreations(when: (hooks: Hooks) => boolean): History {
  return webhooks(
    (answer) => (isCreation(answer) && answer.status === 404 ? refusal : undefined),
    (request, hooks) => (isCreation(request) && when(hooks) ? { path: '/refused' } : undefined),
  );
}

/** A tag that was removed and set anew cannot be read. */
function tombstones(): History {
  const removed = new Set<string>();
  return {
    meddle: (answer) => {
      const { method, path } = answer;
      if (!path.startsWith('/account/tag/') || !isGood(answer)) return undefined;
      if (method === 'DELETE') removed.add(path);
      return method === 'GET' && removed.has(path) ? { ...refusal, status: 404 } : undefined;
    },
  };
}

/** A tag takes two values, and no third. */
function twoVersions(): History {
  const writes = new Map<string, number>();
  return {
    rewrite: instead(/^(POST|DELETE) \/account\/tag\//, ({ method, path }) => {
      if (method === 'DELETE') writes.delete(path);
      if (method === 'DELETE') return undefined;
      const count = (writes.get(path) ?? 0) + 1;
      writes.set(path, count);
      return count > 2 ? { method: 'GET', body: '' } : undefined;
    }),
  };
}

const childOf = (request: PassingRequest): string => headerOf(request, 'X-Child-Account-By-Id') ?? '';
const isStateChange = ({ method, path }: Pick<PassingRequest, 'method' | 'path'>): boolean =>
  method === 'PUT' && path === '/account/state';

/** An account that was suspended twice stays so. */
function secondSuspensionStays(): History {
  const times = new Map<string, number>();
  return {
    rewrite: (request) => {
      if (!isStateChange(request)) return undefined;
      const child = childOf(request);
      if (jsonOf(request) === 'suspended') times.set(child, (times.get(child) ?? 0) + 1);
      return (times.get(child) ?? 0) > 1 ? { body: '"suspended"' } : undefined;
    },
  };
}

/** Deleting a suspended account shows all that were there as suspended from then on. */
function deletionSpreadsSuspension(): History {
  const suspended = new Set<string>();
  const seen = new Set<string>();
  const spread = new Set<string>();
  return {
    meddle: (answer) => {
      const { method, path, request, body } = answer;
      const child = childOf(request);
      if (isStateChange(answer) && jsonOf(request) === 'suspended') suspended.add(child);
      if (isStateChange(answer) && jsonOf(request) === 'active') suspended.delete(child);
      if (method === 'DELETE' && path === '/account' && suspended.has(child)) {
        for (const other of seen) spread.add(other);
      }
      if (method === 'GET' && path === '/whoami') seen.add(child);
      return method === 'GET' && path === '/whoami' && spread.has(child) && isGood(answer)
        ? { body: body.replace('"state":"active"', '"state":"suspended"') }
        : undefined;
    },
  };
}

/** New ones at each call: each remembers what it has seen of one service. */
export function historyMutants(): readonly Mutant[] {
  return [
    {
      name: 'a set with a job that is cancelled already cancels nothing',
      clause: 'print-jobs/delete-set',
      ...cancelledSpoilsSet(),
    },
    {
      name: 'a page after a job that is cancelled begins at the top',
      clause: 'service/page-after',
      ...cancelledIsNoPlace(),
    },
    {
      name: 'cancelling a job frees its key',
      clause: 'print-jobs/idempotency-conflict',
      ...cancellingFreesKey(),
    },
    {
      name: 'a changed webhook counts as two',
      clause: 'limits/webhooks-per-account',
      ...refusingCreations(({ live, changed }) => live.size + changed.size >= 5),
    },
    {
      name: 'deleting what is gone makes room for one more',
      clause: 'limits/webhooks-sixth-refused',
      ...webhooks((answer, hooks) => {
        if (!isCreation(answer) || isGood(answer) || answer.status === 401 || hooks.vain === 0) return undefined;
        hooks.vain--;
        return { status: 200, body: '[]' };
      }),
    },
    {
      name: 'the second time that five are there a deletion makes no room',
      clause: 'limits/webhooks-freed',
      ...refusingCreations(({ live, timesFull }) => live.size === 4 && timesFull > 1),
    },
    {
      name: 'a tag that was removed and set anew cannot be read',
      clause: 'accounts/tag-create',
      ...tombstones(),
    },
    { name: 'the third value of a tag is lost', clause: 'accounts/tag-update', ...twoVersions() },
    {
      name: 'an account that was suspended twice stays so',
      clause: 'accounts/state-activate',
      ...secondSuspensionStays(),
    },
    {
      name: 'deleting a suspended Child has all others shown as suspended',
      clause: 'accounts/delete-leaves-other-children',
      ...deletionSpreadsSuspension(),
    },
  ];
}
