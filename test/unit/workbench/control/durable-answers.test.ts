/**
 * The control API of a service on a data file: what it has answered survives the end of the process.
 */

import { expect, it } from 'vitest';

import { ControlApi } from '../../../../src/workbench/control/control-api.ts';
import { Listener } from '../../../../src/workbench/listener.ts';
import { Workbench } from '../../../../src/workbench/workbench.ts';
import { printRequest } from '../../../support/print-request.ts';

it('answers when what it has changed is stored', async () => {
  const listener = new Listener(undefined);
  const workbench = new Workbench({ clock: 'virtual' });
  const control = new ControlApi(workbench);
  workbench.furnish(await listener.listen({ host: '127.0.0.1', port: 0 }));
  listener.open(workbench.http, control, { token: undefined, loadToken: undefined });
  await workbench.connect();
  await printRequest(workbench, { printerId: 1, title: 'Deleted' });
  await control.answer({
    method: 'DELETE',
    target: '/jobs?q=Deleted',
    headers: {},
    bytes: () => Promise.resolve(new Uint8Array()),
    body: () => Promise.resolve(undefined),
    signal: undefined,
  });
  const pending = workbench.service.committed();
  await workbench.close();
  await listener.close();
  expect(pending).toBeUndefined();
});
