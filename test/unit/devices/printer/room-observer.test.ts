import { expect, it } from 'vitest';

import { webSocketLink } from '../../../../src/link/websocket-link.ts';
import { createRandom } from '../../../../src/common/random.ts';
import { Room } from '../../../../src/devices/room.ts';
import { FIRST_KEY, runService } from '../../../support/running-service.ts';

const LABEL = { contentType: 'raw_base64', content: Buffer.from('^XA^XZ').toString('base64') };

it('sees every station of a job, in order', async () => {
  await using service = await runService();
  const seen: string[] = [];
  const room = new Room(
    { computers: [{ name: 'DESK', printers: [{ profile: 'label-4x6', name: 'Labels' }] }] },
    {
      clock: service.clock,
      random: createRandom(1),
      link: webSocketLink({ clock: service.clock }),
      serviceUrl: service.url,
      credential: { kind: 'api-key', key: FIRST_KEY },
      trayCapacity: 0,
      observer: {
        delivered: ({ title }, printer) => seen.push(`delivered ${title} ${printer?.name}`),
        fetched: ({ jobId }) => seen.push(`fetched ${jobId}`),
        spooled: ({ jobId }) => seen.push(`spooled ${jobId}`),
        printed: ({ jobId, submission }, { name }) => seen.push(`printed ${jobId} ${submission} ${name}`),
        reported: (jobId, state) => seen.push(`reported ${jobId} ${state}`),
      },
    },
  );
  await room.connect();
  await service.call('POST', '/printjobs', { body: { printerId: 1, title: 'Parcel', qty: 2, ...LABEL } });
  await service.clock.settle();
  expect(seen.filter((line) => !line.startsWith('reported'))).toEqual([
    'delivered Parcel Labels',
    'fetched 1',
    'spooled 1',
    'printed 1 1 Labels',
    'printed 1 2 Labels',
  ]);
  expect(seen.filter((line) => line.startsWith('reported'))).toEqual([
    'reported 1 received',
    'reported 1 preparing_to_print',
    'reported 1 queued_to_print',
    'reported 1 done',
  ]);
  expect(room.printouts()).toEqual([]);
  await room.close();
});

it('gives computers credentials and source addresses of their own', async () => {
  await using service = await runService();
  const room = new Room(
    {
      computers: [
        {
          name: 'ELSEWHERE',
          credential: { kind: 'api-key', key: 'second-key' },
          localAddress: '127.0.0.7',
          printers: [{ profile: 'label-4x6' }],
        },
      ],
    },
    {
      clock: service.clock,
      random: createRandom(1),
      link: webSocketLink({ clock: service.clock }),
      serviceUrl: service.url,
      credential: { kind: 'api-key', key: FIRST_KEY },
    },
  );
  await room.connect();
  const own = await service.call('GET', '/computers', { key: 'second-key' });
  expect(own.body).toMatchObject([{ name: 'ELSEWHERE', state: 'connected' }]);
  expect((await service.call('GET', '/computers')).body).toEqual([]);
  await room.close();
});
