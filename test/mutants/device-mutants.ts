/**
 * Mutants of computers and printers as a whole: who is known again and by which id, which lists they are in,
 * and what deleting them does.
 */

import type { ClientReport, PrinterReport } from '../../src/link/messages.ts';
import type { LinkMeddling } from './meddling-link.ts';
import type { Meddle } from './meddling-proxy.ts';
import { instead } from './mutant-tools.ts';
import { broken, inAnswers, inRequests, onLink, type Mutant } from './mutant.ts';
import { json } from './mutants.ts';

const DELETE_SET = /^DELETE \/computers\/[\d,]+$/;
const PRINTERS_OF = /^GET \/computers\/[\d,]+\/printers$/;

const isLater = ({ connection }: { readonly connection: number }): boolean => connection > 1;

/** A client that connects again is taken for another installation. */
const newAtEachConnection: LinkMeddling['opening'] = (line) => {
  const { client } = line.request;
  const installationId = `${client.installationId.slice(0, -1)}${line.connection}`;
  return isLater(line) ? { client: { ...client, installationId } } : {};
};

/** Printers are known by their key and the connection they were reported on. */
const printersOfConnection: LinkMeddling['session'] = (session, line) => ({
  reportPrinters: (printers) =>
    session.reportPrinters(
      isLater(line) ? printers.map((one) => ({ ...one, key: `${one.key} ${line.connection}` })) : printers,
    ),
});

/** What becomes of a field of a computer, by what its client has said of it before and says now. */
function fieldOfClient(
  field: keyof ClientReport,
  merge: (before: string | null, now: string | null) => string | null,
): LinkMeddling {
  const known = new Map<string, string | null>();
  return {
    opening: ({ request: { client }, connection }) => {
      const now = client[field];
      const kept = connection === 1 ? now : merge(known.get(client.installationId) ?? null, now);
      known.set(client.installationId, kept);
      return { client: { ...client, [field]: kept } };
    },
  };
}

/** A field of a printer keeps what its computer reported at first. */
const firstOfPrinter = (field: keyof PrinterReport): LinkMeddling => ({
  session: (session) => {
    const first = new Map<string, PrinterReport>();
    const frozen = (report: PrinterReport): PrinterReport => {
      const known = first.get(report.key) ?? report;
      first.set(report.key, known);
      return { ...report, [field]: known[field] };
    };
    return { reportPrinters: (printers) => session.reportPrinters(printers.map(frozen)) };
  },
});

/** A field of the computer inside a printer keeps what it was when it was first shown. */
function firstInside(field: string): Meddle {
  const first = new Map<unknown, unknown>();
  return json(/^GET (\/computers\/[\d,]+)?\/printers/, (printers: readonly ShownPrinter[]) =>
    printers.map(({ computer, ...printer }) => {
      if (!first.has(computer['id'])) first.set(computer['id'], computer[field]);
      return { ...printer, computer: { ...computer, [field]: first.get(computer['id']) } };
    }),
  );
}

interface ShownPrinter {
  readonly computer: Readonly<Record<string, unknown>>;
}

/** createTimestamp of a computer is when it has last connected. */
function createdAtConnection(): Pick<Mutant, 'link' | 'meddle'> {
  let connections = 1;
  return {
    link: {
      opening: (line) => {
        connections = line.connection;
        return {};
      },
    },
    meddle: json(/^GET \/computers\/\d+$/, (computers: readonly { readonly createTimestamp: string }[]) =>
      computers.map((one) => ({
        ...one,
        createTimestamp: one.createTimestamp.replace(/\d{3}Z$/, `${100 + connections}Z`),
      })),
    ),
  };
}

/** createTimestamp of a printer is when it was reported last. */
function createdAtReport(): Pick<Mutant, 'link' | 'meddle'> {
  let reports = 0;
  return {
    link: {
      session: (session) => ({
        reportPrinters(printers) {
          reports++;
          return session.reportPrinters(printers);
        },
      }),
    },
    meddle: json(/^GET \/printers\/\d+$/, (printers: readonly { readonly createTimestamp: string }[]) =>
      printers.map((one) => ({
        ...one,
        createTimestamp: one.createTimestamp.replace(/\d{3}Z$/, `${String(reports).padStart(3, '0')}Z`),
      })),
    ),
  };
}

/** A computer that is new gets the id of the one that was deleted last. */
function idsUsedAgain(): Pick<Mutant, 'link' | 'rewrite' | 'meddle'> {
  let free: number | undefined;
  const used = new Map<string, number>();
  return {
    link: {
      session: (session) => {
        if (free === undefined) return {};
        used.set(String(free), session.computerId);
        return { computerId: free };
      },
    },
    rewrite: ({ path }) => ({
      path: path.replace(/(?<=^\/computers\/)\d+/, (id) => String(used.get(id) ?? id)),
    }),
    meddle: ({ method, path }) => {
      const [, id] = /^\/computers\/(\d+)$/.exec(path) ?? [];
      if (method === 'DELETE' && id !== undefined) free = Number(id);
      return undefined;
    },
  };
}

/** Lists of all computers have those too that were deleted. */
function showingDeleted(): Meddle {
  const deleted: number[] = [];
  const list = json(/^GET \/computers(\?|$)/, (computers: readonly object[]) => [
    ...computers,
    ...deleted.map((id) => ({ ...computers[0], id })),
  ]);
  return (answer) => {
    const isDeletion = DELETE_SET.test(`${answer.method} ${answer.path}`);
    if (isDeletion) deleted.push(...(JSON.parse(answer.body) as readonly number[]));
    return list(answer);
  };
}

/** Webhooks are known by their places in the list of them. */
function idsArePlaces(): Pick<Mutant, 'rewrite' | 'meddle'> {
  let ids: readonly number[] = [];
  return {
    rewrite: ({ path }) => ({
      path: path.replace(/(?<=^\/webhook\/)\d+$/, (place) => String(ids[Number(place) - 1] ?? place)),
    }),
    meddle: json(/ \/webhook/, (list: readonly { readonly webhookId: number }[]) => {
      ids = list.map(({ webhookId }) => webhookId);
      return list.map((webhook, index) => ({ ...webhook, webhookId: index + 1 }));
    }),
  };
}

export const DEVICE_MUTANTS: readonly Mutant[] = [
  broken('service/id-never-reused', 'a new computer gets the id of a deleted one', idsUsedAgain()),
  broken('service/id-never-reused', 'the id of a webhook is its place in the list', idsArePlaces()),
  onLink('computers/same-id-after-reconnect', 'a computer is known by its connection', {
    opening: newAtEachConnection,
  }),
  broken('computers/create-timestamp-constant', 'a computer is as old as its connection', createdAtConnection()),
  broken('printers/create-timestamp-constant', 'a printer is as old as the last report of it', createdAtReport()),
  ...(['computerName', 'inet', 'inet6', 'hostname', 'version'] as const).map((field) =>
    onLink(
      'computers/as-last-reported',
      `${field} of a computer stays what it was at first`,
      fieldOfClient(field, (before) => before),
    ),
  ),
  ...(['inet', 'inet6', 'hostname', 'version'] as const).map((field) =>
    onLink(
      'computers/as-last-reported',
      `${field} of a computer never becomes null again`,
      fieldOfClient(field, (before, now) => now ?? before),
    ),
  ),
  ...(['name', 'description', 'capabilities', 'default', 'state'] as const).map((field) =>
    onLink('printers/as-last-reported', `${field} of a printer stays what it was at first`, firstOfPrinter(field)),
  ),
  ...['name', 'state'].map((field) =>
    inAnswers(
      'printers/computer-as-listed',
      `${field} inside a printer stays what it was at first`,
      firstInside(field),
    ),
  ),
  inRequests(
    'computers/paginated',
    'a list of computers takes no after',
    instead(/^GET \/computers\/[\d,]+\?/, ({ path }) => ({ path: path.replace(/after=\d+/, '') })),
  ),
  broken('computers/delete-removes', 'a deleted computer stays', {
    rewrite: instead(DELETE_SET, () => ({ method: 'GET' })),
    meddle: json(DELETE_SET, (computers: readonly { readonly id: number }[]) => computers.map(({ id }) => id)),
  }),
  inAnswers('computers/delete-removes', 'a deleted computer is listed where no set is asked for', showingDeleted()),
  inRequests(
    'computers/delete-leaves-others',
    'a set with an unknown computer deletes all',
    instead(DELETE_SET, ({ path }) => (path.includes(',') ? { path: '/computers' } : undefined)),
  ),
  inAnswers(
    'computers/delete-unknown-not-affected',
    'the affected computers are those that were asked for',
    ({ method, path }) =>
      DELETE_SET.test(`${method} ${path}`) ? { body: `[${path.replace('/computers/', '')}]` } : undefined,
  ),
  inAnswers(
    'printers/list-of-computers',
    'only one printer of a computer is listed',
    json(/^GET \/computers\/[\d,]+\/printers/, (printers: readonly unknown[]) => printers.slice(0, 1)),
  ),
  inAnswers(
    'printers/list-of-computers',
    'printers of a computer come in an object',
    json(PRINTERS_OF, (printers) => ({ printers })),
  ),
  inRequests(
    'printers/list-of-computers-only',
    'printers of a computer are those of all computers',
    instead(PRINTERS_OF, () => ({ path: '/printers' })),
  ),
  onLink('printers/same-id-after-reconnect', 'a printer is known by its connection', {
    session: printersOfConnection,
  }),
];
