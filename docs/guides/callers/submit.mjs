// Submits one label, once, whatever happens: node submit.mjs ORDER

import { setTimeout as sleep } from 'node:timers/promises';

const { PLATEN_URL: url, PLATEN_API_KEY: apiKey } = process.env;
const order = process.argv[2] ?? 'A-1001';
const body = JSON.stringify({
  printerId: 1,
  title: `Label ${order}`,
  contentType: 'raw_base64',
  content: btoa(`^XA^FO50,50^FD${order}^FS^XZ`),
});
// Made from the order: the same with each try.
const headers = {
  authorization: `Basic ${btoa(`${apiKey}:`)}`,
  'content-type': 'application/json',
  'x-idempotency-key': `label-${order}`,
};

async function submit() {
  for (let tries = 0; tries < 5; tries++) {
    let waitMs = 200 * 2 ** tries;
    try {
      const answer = await fetch(`${url}/printjobs`, {
        method: 'POST',
        headers,
        body,
        signal: AbortSignal.timeout(5_000),
      });
      await answer.text();
      // 409: an earlier try was taken.
      if (answer.ok || answer.status === 409) return;
      if (answer.status !== 429 && answer.status < 500)
        throw new Error(`refused with ${answer.status}`, { cause: 'final' });
      waitMs = Math.max(waitMs, Number(answer.headers.get('retry-after') ?? 0) * 1_000);
    } catch (error) {
      if (error.cause === 'final') throw error;
    }
    await sleep(waitMs);
  }
  throw new Error('no answer after five tries: the label may be printed or not');
}

await submit();
