/**
 * Checks of docs/device-link.md: which computer an installation is, and what its connections get. They bind a service
 * that says that it speaks this link.
 */

import { LINK_CLOSE_CODES } from '../../link/messages.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Rules } from '../check.ts';
import type { CheckContext } from '../context/context.ts';
import { jobBody, submit } from '../context/jobs.ts';
import { deliveredTo, deliveryOf, join, withPrinter } from '../context/link-computer.ts';
import { asRecords } from '../expect/records.ts';
import { expectEqual, expectThat } from '../expect/that.ts';

/** The longest there may be. */
const INSTALLATION_ID_MOST = 100;
const DELETE_REFUSED = { at: 'DELETE of the computer', expected: 'a 2xx status', actual: 'a refusal' };
/** A service sees the end of a connection a moment later. */
const AFTER_AN_END = '100ms';

/** A connection may end without a close frame. */
const ABNORMAL_CODE = 1006;

function expectDeleted(code: number | undefined): Mismatch | undefined {
  const isIt = code === LINK_CLOSE_CODES.computerDeleted || code === ABNORMAL_CODE;
  return expectThat(isIt, 'close code of a deleted computer', `${LINK_CLOSE_CODES.computerDeleted}`, code);
}

export const LINK_IDENTITY_RULES: Rules = {
  'link/identity': {
    title: 'An installation stays one computer of its account until that computer is deleted',
    needs: ['device-link'],
    async run(context) {
      const { judge } = context;
      const longId = context.naming.uuid().padEnd(INSTALLATION_ID_MOST - 1, '-');
      const first = await join(context, { installationId: `${longId}1` });
      const { installationId, computerId } = first;
      const alike = await join(context, { installationId: `${longId}2` });
      judge(
        'link/other-installation-other-computer',
        expectThat(
          alike.computerId !== computerId,
          'computerId of another installation',
          `not ${computerId}`,
          computerId,
        ),
      );
      await first.cut();
      const again = await join(context, { installationId });
      judge('link/same-computer', expectEqual('computerId of the second connection', again.computerId, computerId));
      context.require((await context.api.delete(`/computers/${computerId}`)).status < 300 ? undefined : DELETE_REFUSED);
      judge('link/deleted-computer-4404', expectDeleted(await again.endCode()));
      const renewed = await join(context, { installationId });
      judge(
        'link/deleted-computer-is-new',
        expectThat(
          renewed.computerId !== computerId,
          'computerId after it was deleted',
          `not ${computerId}`,
          renewed.computerId,
        ),
      );
    },
  },
  'link/other-account': {
    title: 'The same installation in another account is a different computer',
    needs: ['device-link', 'second-account'],
    async run(context) {
      const { installationId, computerId } = await join(context);
      const other = await join(context, { installationId, owner: 'second-account' });
      context.judge(
        'link/other-account-other-computer',
        expectThat(
          other.computerId !== computerId,
          'computerId in another account',
          `not ${computerId}`,
          other.computerId,
        ),
      );
    },
  },
  'link/two-connections': {
    title: 'The newer of two connections of a computer gets its deliveries; the older one takes over when it ends',
    needs: ['device-link'],
    async run(context) {
      const older = await join(context);
      const printerId = await withPrinter(context, older);
      const newer = await join(context, { installationId: older.installationId });
      const first = await submit(context, jobBody(printerId));
      await deliveryOf(newer, first);
      await older.settle();
      const got = { newest: deliveredTo(newer), older: deliveredTo(older) };
      context.judge('link/newest-gets-deliveries', expectEqual('deliveries', got, { newest: [first], older: [] }));
      await newer.cut();
      const isTakenOver = (await deliveryOf(older, first)) !== undefined;
      context.judge(
        'link/older-takes-over',
        expectThat(isTakenOver, 'deliveries of the older one', `job ${first}`, deliveredTo(older)),
      );
      await judgeConnected(context, older.computerId, 'after the newer of two connections has ended');
      await join(context, { installationId: older.installationId });
      await older.cut();
      await context.elapse(AFTER_AN_END);
      await judgeConnected(context, older.computerId, 'after the older of two connections has ended');
    },
  },
};

/** Judges that a computer with a connection left counts as connected. */
async function judgeConnected({ api, judge }: CheckContext, computerId: number, when: string): Promise<void> {
  const path = `/computers/${computerId}`;
  const state = asRecords((await api.get(path)).value)?.[0]?.['state'];
  const mismatch = expectThat(state !== 'disconnected', `state of ${path} ${when}`, 'not disconnected', state);
  judge('link/connected-by-any', mismatch);
}
