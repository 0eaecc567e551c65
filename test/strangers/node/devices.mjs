// Computers, printers, client keys and client downloads.
import { randomBytes } from 'node:crypto';
import { fieldsOf, flag } from './body.mjs';
import { notFound, unfit } from './errors.mjs';
import { paged } from './pages.mjs';
import { closeWhere, refreshOf } from './link.mjs';
import { forgetScales } from './scales.mjs';
import { remove, save, state } from './store.mjs';
import { utc, western } from './times.mjs';

export const mine = (kind, account, set) =>
  [...state[kind].values()].filter(({ id, accountId }) => accountId === account.id && (set?.has(id) ?? true));

export const shownComputer = ({ id, name, inet, inet6, hostname, version, createdMs, isConnected }) => ({
  version,
  state: isConnected ? 'up' : 'disconnected',
  name,
  jre: null,
  inet6,
  inet,
  id,
  hostname,
  createTimestamp: utc(createdMs),
});

export function shownPrinter(printer) {
  const computer = state.computers.get(printer.computerId);
  return {
    state: printer.state ?? 'unheard of',
    name: printer.name,
    id: printer.id,
    description: printer.description,
    default: printer.default,
    createTimestamp: western(printer.createdMs),
    computer: shownComputer(computer),
    capabilities: printer.capabilities,
    wear: 0.5,
  };
}

const listed = (records, page, show) => {
  const { records: some, ...rest } = paged(records, page);
  return { list: { shown: some.map(show), ...rest } };
};

export const computers = ({ account, page }, set) => listed(mine('computers', account, set), page(), shownComputer);

export function printers({ account, page }, computerSet, set) {
  const all = mine('printers', account, set).filter(({ isGone }) => !isGone);
  return listed(
    all.filter(({ computerId }) => computerSet?.has(computerId) ?? true),
    page(),
    shownPrinter,
  );
}

/** Jobs of a computer that is gone stay, and expire in time. */
export function eraseComputers({ account }, set) {
  const gone = mine('computers', account, set);
  for (const { id } of gone) {
    for (const printer of mine('printers', account)) if (printer.computerId === id) remove('printers', printer.id);
    remove('computers', id);
    forgetScales(id);
    closeWhere((one) => one.computer?.id === id, 4404, 'the computer was deleted');
  }
  return { value: gone.map(({ id }) => id) };
}

export function refresh({ account }) {
  refreshOf(account);
  return { status: 202, value: 'asked' };
}

const UUID_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export function clientKey({ account, query }, uuid) {
  if (!UUID_4.test(uuid)) throw unfit('the uuid is not one of version 4');
  if (!query.get('edition') || !query.get('version')) throw unfit('edition and version are needed');
  const there = [...state.clientKeys.values()].find((one) => one.accountId === account.id && one.uuid === uuid);
  const key = there?.key ?? randomBytes(48).toString('base64url').replaceAll(/[_-]/g, '0').slice(0, 47);
  if (!there) save('clientKeys', key, { key, uuid, accountId: account.id });
  return { value: { clientKey: key } };
}

const DOWNLOADS = ['osx', 'windows'].flatMap((os, system) =>
  ['9.2.0', '10.0.3', '10.1.0'].map((version, index) => ({ id: 71 + 10 * system + index, os, version })),
);

const shownDownload =
  (account) =>
  ({ id, os, version }) => ({
    on: account.disabled[id] !== true,
    download: { number: id },
    enabled: account.disabled[id] !== true,
    version,
    os,
  });

const asNumbers = (version) => version.split('.').map(Number);
const isHigher = (one, other) => {
  const [left, right] = [asNumbers(one), asNumbers(other)];
  const at = left.findIndex((part, index) => part !== right[index]);
  return at !== -1 && left[at] > right[at];
};

export function latest({ account }, os) {
  const there = DOWNLOADS.filter((one) => one.os === os && account.disabled[one.id] !== true);
  const [first, ...others] = there;
  if (!first) throw notFound(`a version for ${os}`);
  const highest = others.reduce((best, one) => (isHigher(one.version, best.version) ? one : best), first);
  return { value: shownDownload(account)(highest) };
}

const chosen = (set) => DOWNLOADS.filter(({ id }) => set?.has(id) ?? true);

export const downloads = ({ account }, set) => ({ value: chosen(set).map(shownDownload(account)) });

export function enable({ account, body }, set) {
  const enabled = flag(fieldsOf(body), 'enabled');
  for (const { id } of chosen(set)) account.disabled[id] = !enabled;
  save('accounts', account.id, account);
  return { value: chosen(set).map(shownDownload(account)) };
}
