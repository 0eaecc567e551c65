import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ActionableError } from '../../../../src/common/actionable-error.ts';
import { runService } from '../../../support/running-service.ts';
import { ScriptedComputer } from '../../../support/scripted-computer.ts';

const JOB = { printerId: 1, contentType: 'raw_base64', content: 'AAAA' };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-data-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('a service with a data file', () => {
  it('has after a restart what it had before, and delivers what was waiting', async () => {
    const dataFile = join(folder, 'service.db');
    {
      await using service = await runService({ dataFile });
      await (await ScriptedComputer.connect(service.url))[Symbol.asyncDispose]();
      const headers = { 'X-Idempotency-Key': 'kept' };
      expect((await service.call('POST', '/printjobs', { body: JOB, headers })).status).toBe(201);
    }
    await using service = await runService({ dataFile });
    const again = await service.call('POST', '/printjobs', {
      body: JOB,
      headers: { 'X-Idempotency-Key': 'kept' },
    });
    expect(again.status).toBe(409);
    expect((await service.call('GET', '/printers')).body).toMatchObject([{ id: 1, name: 'Laser' }]);
    await using computer = await ScriptedComputer.connect(service.url);
    expect(await computer.hear('job')).toMatchObject({ jobId: 1, content: 'AAAA' });
    expect((await service.call('GET', '/whoami')).body).toMatchObject({ id: 1, numComputers: 1 });
  });

  it('never uses an id again', async () => {
    const dataFile = join(folder, 'service.db');
    {
      await using service = await runService({ dataFile });
      await (await ScriptedComputer.connect(service.url))[Symbol.asyncDispose]();
      await service.call('DELETE', '/computers');
    }
    await using service = await runService({ dataFile });
    await using computer = await ScriptedComputer.connect(service.url);
    expect(await computer.hear('welcome')).toMatchObject({ computerId: 2 });
  });

  it('refuses a file that is not a database, and leaves it alone', async () => {
    const dataFile = join(folder, 'letter.txt');
    await writeFile(dataFile, 'Dear reader, this is not a database. '.repeat(100));
    await expect(runService({ dataFile })).rejects.toThrow(ActionableError);
    await expect(runService({ dataFile })).rejects.toThrow(/letter\.txt.*not a file that platen wrote/);
  });

  it('refuses a data file that another service has open', async () => {
    const dataFile = join(folder, 'service.db');
    await using first = await runService({ dataFile });
    await expect(runService({ dataFile })).rejects.toThrow(/another program has it open/);
    expect((await first.call('GET', '/noop')).status).toBe(200);
  });
});
