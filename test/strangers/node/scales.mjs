// Scale data, over HTTP and as a stream; it is kept for 45 seconds.
import { accountOfKey, userOf } from './accounts.mjs';
import { notFound, unfit } from './errors.mjs';
import { acceptWebSocket, refuseUpgrade } from './websocket.mjs';
import { western } from './times.mjs';

const KEPT_MS = 45_000;
/** By account, computer, name and number: the newest reading. */
const readings = new Map();
/** By computer: key → {deviceName, deviceNum, …}. */
const scales = new Map();
const feeds = new Set();

export function reportScales(computer, reported) {
  const before = scales.get(computer.id) ?? new Map();
  const now = new Map();
  for (const scale of reported) now.set(scale.key, scale);
  const numbered = [...now.values()].map((scale) => {
    const old = before.get(scale.key);
    return { ...scale, deviceNum: old?.deviceName === scale.deviceName ? old.deviceNum : undefined };
  });
  for (const scale of numbered) {
    if (scale.deviceNum !== undefined) continue;
    const used = new Set(numbered.filter((one) => one.deviceName === scale.deviceName).map((one) => one.deviceNum));
    scale.deviceNum = 0;
    while (used.has(scale.deviceNum)) scale.deviceNum++;
  }
  scales.set(computer.id, new Map(numbered.map((scale) => [scale.key, scale])));
}

export function forgetScales(computerId) {
  scales.delete(computerId);
  for (const [key, { data }] of readings) if (data.computerId === computerId) readings.delete(key);
}

export function reportReading(computer, { scaleKey, mass, measurement, clientReportedCreateTimestamp }) {
  const scale = scales.get(computer.id)?.get(scaleKey);
  if (!scale) return;
  const { deviceName, deviceNum, vendor, product, vendorId, productId, port } = scale;
  keep(computer.accountId, {
    mass,
    measurement,
    deviceName,
    deviceNum,
    vendorId,
    productId,
    computerId: computer.id,
    vendor: vendor ?? '',
    make: product,
    port: port ?? '',
    count: null,
    ntpOffset: null,
    clientReportedCreateTimestamp,
  });
}

function keep(accountId, data) {
  const reading = { accountId, data, storedMs: Date.now() };
  readings.set(JSON.stringify([accountId, data.computerId, data.deviceName, data.deviceNum]), reading);
  const text = JSON.stringify({ reading: shown(reading) });
  for (const feed of feeds) if (feed.accountId === accountId) feed.socket.send(text);
}

const shown = ({ data, storedMs }) => ({ ...data, ageOfData: Date.now() - storedMs });

function kept(account, computerText, name) {
  if (!/^\d{1,16}$/.test(computerText)) throw unfit('a computer has an integer as its id');
  for (const [key, { storedMs }] of readings) if (Date.now() >= storedMs + KEPT_MS) readings.delete(key);
  return [...readings.values()].filter(
    ({ accountId, data }) =>
      accountId === account.id &&
      data.computerId === Number(computerText) &&
      (name === undefined || data.deviceName === name),
  );
}

export const list = ({ account }, computer, name) => ({ value: kept(account, computer, name).map(shown) });

export function one({ account }, computer, name, number) {
  const found = kept(account, computer, name).find(({ data }) => String(data.deviceNum) === number);
  if (!found) throw notFound(`fresh data of scale ${name}`);
  return { value: shown(found) };
}

/** Half a pound, whatever is asked for. */
export function simulate({ account }) {
  keep(account.id, {
    mass: [226_796_185, 1_000_000],
    measurement: { lb: 500_000_000 },
    deviceName: 'Service Test Scale',
    deviceNum: 0,
    vendorId: 0,
    productId: 0,
    computerId: 0,
    vendor: 'nobody',
    make: null,
    port: 'none',
    count: null,
    ntpOffset: null,
    clientReportedCreateTimestamp: western(Date.now()),
  });
  return { status: 202, value: {} };
}

/** Whoever has a key hears each reading of its account, and says nothing. */
export function acceptScaleFeed(request, socket, head) {
  const account = accountOfKey(userOf(request.headers.authorization));
  if (!account) return refuseUpgrade(socket, 401, 'InvalidCredentials', 'a key is needed');
  const feed = { accountId: account.id };
  feed.socket = acceptWebSocket(request, socket, head, {
    onText: () => undefined,
    onEnd: () => feeds.delete(feed),
  });
  feeds.add(feed);
}
