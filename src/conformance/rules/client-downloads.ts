/**
 * Checks of client downloads. Which there are is the service's; whatever a check enables or disables is
 * put back as it was.
 */

import compareVersions from 'semver/functions/compare.js';
import parseVersion from 'semver/functions/parse.js';

import { isObject, type JsonObject } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import { OPERATING_SYSTEMS } from '../../specification/inputs.ts';
import type { Rules } from '../check.ts';
import {
  expectErrorObject,
  expectFound,
  expectRecords,
  expectRefusal,
  expectSuccess,
  sameIds,
  type Answer,
  idsIn,
} from '../expect/answer.ts';
import type { ApiClient } from '../context/api-client.ts';
import { CheckEnded } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import { expectThat } from '../expect/that.ts';
import { asRecords } from '../expect/records.ts';

/** How many numbers a version has is not printed: 5, 4.27, 4.27.8.6790, 4.27.8-beta.1. */
const VERSION = /^v?\d+(\.\d+)*(?:[-+].*)?$/;
/** What is surely one, whatever its name: no time, and no size. */
const SURE_VERSION = /^v?\d+(\.\d+)+(?:[-+].*)?$/;
const SYSTEMS = Object.keys(OPERATING_SYSTEMS);
const LIST = '/download/clients';

/** A client download, as far as checks can read one: its fields are not shown. */
interface Download {
  readonly id: number;
  readonly os: string;
  readonly version: string;
  readonly enabled: boolean;
}

/** The downloads of an account. Ends the check when the list is empty or cannot be read. */
async function downloadsOf(context: CheckContext, api: ApiClient): Promise<readonly Download[]> {
  const answer = await api.get(LIST);
  context.require(expectSuccess(answer), expectRecords(answer));
  const records = asRecords(answer.value) ?? [];
  if (records.length === 0) throw new CheckEnded('untestable', 'the target offers no client downloads');
  const ids = idsIn(answer) ?? [];
  return records.map((record, index) => readDownload(record, ids[index] ?? 0));
}

function readDownload(record: JsonObject, id: number): Download {
  const [os, version] = [osIn(record), versionIn(record)];
  const enabled = memberOf(record, 'enabled', (value) => typeof value === 'boolean');
  if (typeof os === 'string' && typeof version === 'string' && typeof enabled === 'boolean') {
    return { id, os, version, enabled };
  }
  throw new CheckEnded('untestable', 'client downloads without os, version and enabled cannot be distinguished');
}

const osIn = (record: JsonObject): unknown => memberOf(record, 'os', (value) => SYSTEMS.includes(String(value)));
const versionIn = (record: JsonObject): unknown =>
  memberOf(record, 'version', (value) => typeof value === 'string' && SURE_VERSION.test(value));

/** The member of this name; what it is called is not shown, so else the first that can be it. */
function memberOf(record: JsonObject, name: string, isIt: (value: unknown) => boolean): unknown {
  return record[name] ?? Object.values(record).find(isIt);
}

function setEnabled(api: ApiClient, ids: readonly number[], enabled: unknown): Promise<Answer> {
  return api.patch(`${LIST}/${ids.join(',')}`, { enabled });
}

/** An account whose downloads may be changed: a Child where there can be one. */
async function accountToChange(context: CheckContext): Promise<ApiClient> {
  return context.target.isIntegrator ? (await context.children.create()).api : context.api;
}

/** Runs the work, and puts every download back as it was, whatever the outcome. */
async function puttingBack(
  context: CheckContext,
  api: ApiClient,
  work: (downloads: readonly Download[]) => Promise<void>,
): Promise<void> {
  const before = await downloadsOf(context, api);
  try {
    await work(before);
  } finally {
    for (const enabled of [true, false]) {
      const ids = before.filter((download) => download.enabled === enabled).map(({ id }) => id);
      if (ids.length > 0) await setEnabled(api, ids, enabled);
    }
  }
}

function enabledOf(downloads: readonly Download[], os: string): readonly Download[] {
  return downloads
    .filter((download) => download.enabled && download.os === os && VERSION.test(download.version))
    .toSorted((left, right) => compare(right.version, left.version));
}

/** Number by number, 4.27 as 4.27.0; those that differ after their numbers alone as semantic versions do. */
function compare(one: string, other: string): number {
  const [left, right] = [numbersOf(one), numbersOf(other)];
  const differing = Array.from({ length: Math.max(left.length, right.length) }, (_, index) => index).find(
    (index) => (left[index] ?? 0) !== (right[index] ?? 0),
  );
  if (differing !== undefined) return (left[differing] ?? 0) - (right[differing] ?? 0);
  return parseVersion(one) && parseVersion(other) ? compareVersions(one, other) : 0;
}

const numbersOf = (version: string): readonly number[] =>
  (/\d+(\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number);

/** The download that an answer is about: its record, or the only one of a list, as the shape of the answer is a gap. */
function latestIn({ value }: Answer): JsonObject | undefined {
  const [one, ...more] = asRecords(value) ?? [value];
  return isObject(one) && more.length === 0 ? one : undefined;
}

/** Expects an answer about this version for this operating system, or about one that is as high. */
function expectVersion(answer: Answer, os: string, version: string): Mismatch | undefined {
  const latest = latestIn(answer);
  const isIt = latest !== undefined && compare(String(versionIn(latest)), version) === 0 && osIn(latest) === os;
  return expectFound(answer, `version ${version} for ${os}`, () => isIt);
}

/** Expects an answer about no version; how it says so is not printed. */
function expectNoVersion(answer: Answer): Mismatch | undefined {
  const latest = answer.status < 300 ? latestIn(answer) : undefined;
  const version = latest && versionIn(latest);
  return expectThat(version === undefined, `body of ${answer.request}`, 'no version, as all are disabled', version);
}

export const CLIENT_DOWNLOAD_RULES: Rules = {
  'client-downloads/lists': {
    title: 'GET /download/clients lists the client versions of the account, or of a set',
    needs: ['client-downloads'],
    locks: ['account/downloads'],
    async run(context) {
      const { api, judge } = context;
      const all = await api.get(LIST);
      judge('client-downloads/list', expectSuccess(all), expectRecords(all));
      const ids = (await downloadsOf(context, api)).map(({ id }) => id);
      const wanted = [...new Set([ids[0] ?? 0, ids.at(-1) ?? 0])];
      const some = await api.get(`${LIST}/${[...wanted, wanted[0]].join(',')}`);
      const shown = idsIn(some) ?? [];
      const at = `body of ${some.request}`;
      judge('client-downloads/list-set', expectSuccess(some), expectRecords(some));
      judge(
        'client-downloads/list-set',
        expectThat(
          wanted.every((id) => shown.includes(id)),
          at,
          `${wanted.join(' and ')} among them`,
          shown,
        ),
      );
      judge(
        'client-downloads/list-set-only',
        expectThat(shown.length === wanted.length, at, `${wanted.join(' and ')} alone`, shown),
      );
    },
  },
  'client-downloads/latest': {
    title: 'GET /download/clients/{os} shows the highest enabled version for that operating system',
    needs: ['client-downloads'],
    locks: ['account/downloads'],
    async run(context) {
      const { api, judge } = context;
      const downloads = await downloadsOf(context, api);
      const without: string[] = [];
      for (const os of SYSTEMS) {
        const [highest] = enabledOf(downloads, os);
        if (!highest) {
          without.push(os);
          continue;
        }
        const answer = await api.get(`${LIST}/${os}`);
        const latest = latestIn(answer);
        judge(
          'client-downloads/latest',
          expectFound(answer, 'one client download', () => latest !== undefined),
        );
        judge(os === 'osx' ? 'client-downloads/latest-osx' : 'client-downloads/latest-windows', expectSuccess(answer));
        const isOwn = latest !== undefined && osIn(latest) === os;
        judge('client-downloads/latest-own-os', expectThat(isOwn, `os in ${answer.request}`, os, answer.value));
        judge('client-downloads/latest-highest', expectVersion(answer, os, highest.version));
        judge(
          'client-downloads/latest-short-path',
          expectSameVersion(await api.get(`/download/client/${os}`), highest),
        );
      }
      for (const os of ['beos', 'constructor']) {
        for (const path of [`${LIST}/${os}`, `/download/client/${os}`]) {
          judge('client-downloads/latest-other-refused', expectErrorObject(await api.get(path)));
        }
      }
      if (without.length > 0)
        throw new CheckEnded('untestable', `the target has enabled no client download for ${without.join(' and ')}`);
    },
  },
  'client-downloads/versions': {
    title: 'The latest version is the enabled one with the highest version number',
    needs: ['client-downloads'],
    locks: ['account/downloads'],
    async run(context) {
      const { judge } = context;
      const api = await accountToChange(context);
      let hasSeveral = false;
      await puttingBack(context, api, async (before) => {
        const ids = before.map(({ id }) => id);
        const enableAll = async (): Promise<readonly Download[]> => {
          judge('client-downloads/update', expectSuccess(await setEnabled(api, ids, true)));
          const shown = await downloadsOf(context, api);
          const areEnabled = shown.every((download) => download.enabled);
          judge('client-downloads/update-enabled', expectThat(areEnabled, `body of GET ${LIST}`, 'all enabled', shown));
          return shown;
        };
        const all = await enableAll();
        hasSeveral = SYSTEMS.some((os) => enabledOf(all, os).length > 1);
        for (const os of SYSTEMS) {
          // From the highest down, each disabled in its turn: numbers and texts part ways at 4.9 and 4.10.
          let left = enabledOf(all, os);
          while (left.length > 1) {
            const [highest, next] = left;
            if (!highest || !next) break;
            const latest = await api.get(`${LIST}/${os}`);
            judge('client-downloads/latest-highest', expectVersion(latest, os, highest.version));
            judge('client-downloads/latest-numeric', expectVersion(latest, os, highest.version));
            const same = left.filter(({ version }) => version === highest.version).map(({ id }) => id);
            judge('client-downloads/update', expectSuccess(await setEnabled(api, same, false)));
            const shown = (await downloadsOf(context, api)).filter(({ id }) => same.includes(id));
            const areThere = shown.length === same.length;
            judge('client-downloads/list', expectThat(areThere, `body of GET ${LIST}`, 'the disabled ones too', shown));
            const areDisabled = shown.every((download) => !download.enabled);
            judge('client-downloads/update-enabled', expectThat(areDisabled, `body of GET ${LIST}`, 'disabled', shown));
            left = left.filter(({ id }) => !same.includes(id));
            const [now] = left;
            if (now)
              judge(
                'client-downloads/latest-skips-disabled',
                expectVersion(await api.get(`${LIST}/${os}`), os, now.version),
              );
          }
          // Whether the last one can be disabled is not printed.
          const last = left.map(({ id }) => id);
          if ((await setEnabled(api, last, false)).status >= 300) continue;
          for (const path of [`${LIST}/${os}`, `/download/client/${os}`]) {
            judge('client-downloads/latest-skips-disabled', expectNoVersion(await api.get(path)));
          }
        }
        // Those that were disabled before, too.
        await enableAll();
      });
      if (!hasSeveral) throw new CheckEnded('untestable', 'the target has one client version for a system at most');
    },
  },
  'client-downloads/updates': {
    title: 'PATCH changes only the downloads of the set, only for the account, and only with booleans',
    needs: ['client-downloads', 'second-account'],
    locks: ['account/downloads', 'second-account/downloads'],
    async run(context) {
      const { judge, require, secondApi } = context;
      const api = await accountToChange(context);
      const others = await downloadsOf(context, secondApi);
      const owned = await downloadsOf(context, context.api);
      await puttingBack(context, api, async (before) => {
        const [first] = before;
        if (!first) return;
        require(expectSuccess(await setEnabled(api, [first.id], !first.enabled)));
        const after = await downloadsOf(context, api);
        judge(
          'client-downloads/update-leaves-others',
          expectSame(
            after.filter(({ id }) => id !== first.id),
            before.slice(1),
          ),
        );
        judge('client-downloads/update-own-account', expectSame(await downloadsOf(context, secondApi), others));
        if (api !== context.api)
          judge('client-downloads/update-own-account', expectSame(await downloadsOf(context, context.api), owned));
        for (const odd of ['maybe', {}, undefined]) {
          judge('client-downloads/update-no-boolean-refused', expectRefusal(await setEnabled(api, [first.id], odd)));
          judge('client-downloads/update-no-boolean-refused', expectSame(await downloadsOf(context, api), after));
        }
        const several = before.slice(1, 5).map(({ id }) => id);
        const [again] = several;
        // Whether the last one of an operating system can be disabled is not printed.
        if (again === undefined) throw new CheckEnded('untestable', 'the target has a single client download');
        if ((await setEnabled(api, several, false)).status >= 300) return;
        const disabled = after.map((one) => (several.includes(one.id) ? { ...one, enabled: false } : one));
        judge('client-downloads/update-enabled', expectSame(await downloadsOf(context, api), disabled));
        require(expectSuccess(await setEnabled(api, [again], true)));
        const left = disabled.map((one) => (one.id === again ? { ...one, enabled: true } : one));
        judge('client-downloads/update-leaves-others', expectSame(await downloadsOf(context, api), left));
      });
    },
  },
};

/**
 * The short path may answer with the record or redirect to the file, whose address then has the version in
 * it.
 */
function expectSameVersion(answer: Answer, { os, version }: Download): Mismatch | undefined {
  // What else it may answer than such a record is not shown.
  if (answer.status < 300 && isObject(answer.value) && versionIn(answer.value) === undefined) return undefined;
  if (answer.status < 300 || answer.status >= 400) return expectVersion(answer, os, version);
  const location = answer.header('Location') ?? '';
  const at = `header Location of ${answer.request}`;
  return expectThat(location !== '', at, `the address of version ${version}`, 'no such header');
}

function expectSame(shown: readonly Download[], wanted: readonly Download[]): Mismatch | undefined {
  const linesOf = (downloads: readonly Download[]): string[] =>
    downloads.map(({ id, enabled }) => `${id} ${enabled ? 'enabled' : 'disabled'}`).toSorted();
  const [left, right] = [linesOf(shown), linesOf(wanted)];
  return expectThat(sameIds(left, right), `body of GET ${LIST}`, right.join(', '), left.join(', '));
}
