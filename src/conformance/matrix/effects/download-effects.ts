/** Effects on client downloads: what an account has disabled is shown as that, and what it has not is left alone. */

import { valueAt } from '../../../common/places.ts';
import type { ApiClient } from '../../context/api-client.ts';
import { CheckEnded } from '../../context/check-ended.ts';
import type { CheckContext } from '../../context/context.ts';
import { expectFound, expectIds, expectSuccess, idsIn } from '../../expect/answer.ts';
import { asRecords, isId } from '../../expect/records.ts';
import { expectEqual } from '../../expect/that.ts';
import type { Caller } from './caller.ts';
import type { OpenPart, Part } from './effect.ts';
import { lazily } from './lazily.ts';

export const DOWNLOADS: Part = {
  id: 'downloads',
  title: 'Client downloads can be listed, disabled and enabled',
  needs: ['client-downloads'],
  holds: ['downloads'],
  has: ({ family, parts }) => family === 'client-downloads' && parts.every(({ thing }) => thing === 'download'),
  open: openDownloads,
};

const LIST = '/download/clients';

function openDownloads({ require }: CheckContext, { api }: Caller): OpenPart {
  const first = lazily(async (): Promise<Download> => {
    const [download] = await downloadsOf(api);
    if (download) return download;
    throw new CheckEnded('untestable', 'client downloads without enabled cannot be enabled');
  });
  return {
    effects: {
      'GET /download/clients': async (judge) => {
        const answer = await api.get(LIST);
        judge('client-downloads/list', expectSuccess(answer));
        const { id } = await first();
        judge(
          'client-downloads/list',
          expectFound(answer, `download ${id} among them`, () => idsIn(answer)?.includes(id) === true),
        );
      },
      'GET /download/clients/{download_id_set}': async (judge) => {
        const { id } = await first();
        const answer = await api.get(`${LIST}/${id}`);
        judge('client-downloads/list-set', expectSuccess(answer), expectIds(answer, [id]));
      },
      'PATCH /download/clients/{download_id_set}': async (judge) => {
        const { id, enabled } = await first();
        const before = await downloadsOf(api);
        try {
          judge('client-downloads/update', expectSuccess(await api.patch(`${LIST}/${id}`, { enabled: !enabled })));
          const after = await downloadsOf(api);
          const isEnabled = after.find((download) => download.id === id)?.enabled;
          judge('client-downloads/update-enabled', expectEqual(`enabled of download ${id}`, isEnabled, !enabled));
          const others = (downloads: readonly Download[]) => downloads.filter((download) => download.id !== id);
          judge(
            'client-downloads/update-leaves-others',
            expectEqual(`body of GET ${LIST}`, others(after), others(before)),
          );
        } finally {
          require(expectSuccess(await api.patch(`${LIST}/${id}`, { enabled })));
        }
      },
    },
  };
}

interface Download {
  readonly id: number;
  readonly enabled: boolean;
}

/** In the order of their ids, those that say whether they are enabled. */
async function downloadsOf(api: ApiClient): Promise<readonly Download[]> {
  const { value, idName } = await api.get(LIST);
  const records = asRecords(value) ?? [];
  return records
    .flatMap((record) => {
      const [id, { enabled }] = [valueAt(record, idName), record];
      return isId(id) && typeof enabled === 'boolean' ? [{ id, enabled }] : [];
    })
    .toSorted((left, right) => left.id - right.id);
}
