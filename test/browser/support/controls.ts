/**
 * Controls: everything on the page that can be pressed or filled, and what using it does. A control that is in the DOM of
 * a view and in no row here is used by no test; a row that finds no control is of a page of the past.
 *
 * A control is called by its kind and its name: `button Print again`, `a.traffic-row …`.
 */

import type { ElementHandle, JSHandle, Page } from 'playwright-core';
import { expect } from 'vitest';

import type { RunSummaryView } from '../../../src/record/control-types.ts';
import { LIVE_RUN } from './views.ts';

export interface ControlUse {
  readonly page: Page;
  readonly control: ElementHandle<HTMLElement>;
  readonly url: string;
}

export interface Control {
  readonly name: RegExp;
  /** The view it is used on, by the name of the view. */
  readonly on: string;
  readonly use: (use: ControlUse) => Promise<void>;
}

/** On a machine that is busy with other things. */
const SOON = { timeout: 15_000 };

/** Every control of the document; those of a dialog alone while one is open. */
export function controlsOf(page: Page): Promise<JSHandle<HTMLElement[]>> {
  const selector = 'a[href], button, input, select, summary, textarea';
  return page.evaluateHandle((all) => [...document.querySelectorAll<HTMLElement>(all)], selector);
}

/** The first control with such a name. */
export async function findControl(page: Page, name: RegExp): Promise<ElementHandle<HTMLElement> | undefined> {
  const controls = await controlsOf(page);
  const index = (await controls.evaluate(namesOf)).findIndex((one) => name.test(one));
  const control = await controls.evaluateHandle((all, at) => all[at], index);
  return control.asElement() ?? undefined;
}

/** In the browser: what the controls are called. */
export function namesOf(controls: readonly HTMLElement[]): string[] {
  return controls.map((element) => {
    const field = element as HTMLInputElement;
    const label = element.tagName === 'BUTTON' || element.tagName === 'A' ? undefined : field.labels?.[0]?.textContent;
    const name = element.ariaLabel ?? label ?? (element.textContent.trim() || element.title);
    const kind = element.tagName.toLowerCase() + (field.type === 'submit' ? '.submit' : '');
    const rows = ['job-row', 'run-row', 'traffic-row', 'filter-chip'].filter((one) => element.classList.contains(one));
    return `${[kind, ...rows].join('.')} ${name.trim().replaceAll(/\s+/g, ' ')}`;
  });
}

type Use = Control['use'];

function goesTo(address: RegExp): Use {
  return async ({ page, control }) => {
    await control.click();
    await expect.poll(() => page.url(), SOON).toMatch(address);
  };
}

function shows(selector: string): Use {
  return async ({ page, control }) => {
    await control.click();
    await page.locator(selector).first().waitFor(SOON);
  };
}

function hides(selector: string): Use {
  return async ({ page, control }) => {
    await control.click();
    await page
      .locator(selector)
      .first()
      .waitFor({ ...SOON, state: 'hidden' });
  };
}

/** What the control API says below this path is different afterwards. */
function changes(path: string, act: Use = async ({ control }) => control.click()): Use {
  return async (use) => {
    const read = async (): Promise<string> => (await fetch(`${use.url}/_platen${path}`)).text();
    const before = await read();
    await act(use);
    await expect.poll(read, SOON).not.toBe(before);
  };
}

/** The first press asks, the second does it. */
const twice: Use = async ({ control }) => {
  await control.click();
  await control.click();
};

const fills =
  (value: string): Use =>
  async ({ control }) =>
    control.fill(value);

const types =
  (value: string): Use =>
  async ({ page, control }) => {
    await control.fill(value);
    await page.keyboard.press('Enter');
  };

const copies: Use = async ({ page, control }) => {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await control.click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText()), SOON).not.toBe('');
};

/** In a tab of its own, or as a file. */
const answers: Use = async ({ page, control }) => {
  const address = await control.getAttribute('href');
  const cookie = await fetch(new URL(address ?? '', page.url()));
  expect([address, cookie.status]).toEqual([address, 200]);
};

/** A run that another control has started is ended first: there is one at a time. */
function alone(use: Use): Use {
  return async (given) => {
    const runs = `${given.url}/_platen/runs`;
    const running = async (): Promise<readonly string[]> => {
      const list = (await (await fetch(runs)).json()) as readonly RunSummaryView[];
      return list.filter((run) => run.running && run.id !== LIVE_RUN).map(({ id }) => id);
    };
    for (const id of await running()) {
      for (const _ of ['in good order', 'at once']) await fetch(`${runs}/${id}/stop`, { method: 'POST' });
    }
    await expect.poll(running, SOON).toEqual([]);
    await use(given);
  };
}

const toggles: Use = async ({ control }) => {
  const before = await control.evaluate((one) => (one.parentElement as HTMLDetailsElement).open);
  await control.click();
  await expect
    .poll(() => control.evaluate((one) => (one.parentElement as HTMLDetailsElement).open), SOON)
    .toBe(!before);
};

const keepsValue: Use = async ({ control }) => {
  await control.fill('http://127.0.0.1:1');
  expect(await control.inputValue()).toBe('http://127.0.0.1:1');
};

const chooses =
  (value: string): Use =>
  async ({ control }) => {
    await control.selectOption(value);
  };

/** In the order in which they are used: what takes things away comes last. */
export const CONTROLS: readonly Control[] = [
  // Everywhere
  { name: /^a platen$/, on: 'Room', use: goesTo(/\/jobs$/) },
  { name: /^a (?:Jobs|Room|Traffic|Runs)$/, on: 'Traffic', use: goesTo(/\/jobs$/) },
  { name: /^a API$/, on: 'Jobs', use: answers },
  { name: /^button Copy /, on: 'Jobs', use: copies },
  { name: /^button Keys$/, on: 'Jobs', use: shows('dialog[aria-label="Keys"]') },
  { name: /^summary \d faults? in force$/, on: 'Jobs', use: shows('.popover') },
  { name: /^button (?:Run|Freeze)$/, on: 'Jobs', use: changes('/clock') },
  { name: /^button \+\d+ [shd]$/, on: 'Jobs', use: changes('/clock') },
  { name: /^input Advance by$/, on: 'Jobs', use: changes('/clock', types('1m')) },
  {
    name: /^button\.submit Advance$/,
    on: 'Jobs',
    use: changes('/clock', async ({ page, control }) => {
      await page.getByLabel('Advance by').fill('2m');
      await control.click();
    }),
  },
  // Jobs
  {
    name: /^input Search jobs$/,
    on: 'Jobs',
    use: async (use) => {
      await fills('Pick list')(use);
      await expect.poll(() => use.page.locator('.job-row').count(), SOON).toBe(1);
    },
  },
  {
    name: /^input Print a document…/,
    on: 'Jobs',
    use: async ({ page, control }) => {
      await control.setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-') });
      await page.getByRole('dialog', { name: 'Print a.pdf' }).waitFor(SOON);
    },
  },
  { name: /^button\.filter-chip /, on: 'Jobs', use: goesTo(/q=/) },
  { name: /^a\.job-row /, on: 'Jobs', use: goesTo(/\/jobs\/\d+$/) },
  { name: /^button Show all jobs$/, on: 'a search that finds nothing', use: goesTo(/\/jobs$/) },
  { name: /^a Enlarge: /, on: 'a job', use: shows('dialog img') },
  { name: /^a Sheets as PDF$/, on: 'a job', use: answers },
  { name: /^a Document /, on: 'a job', use: answers },
  { name: /^button (?:curl|vitest)$/, on: 'a job', use: copies },
  { name: /^a [\d:.]+http.*attempt/, on: 'a job', use: goesTo(/traffic\?show=deliveries&id=\d+/) },
  { name: /^a Close$/, on: 'a job', use: goesTo(/\/jobs$/) },
  { name: /^button (?:Previous|Next)$/, on: 'an enlarged side', use: goesTo(/side=1$/) },
  { name: /^button Close$/, on: 'an enlarged side', use: hides('dialog') },
  { name: /^button Print again$/, on: 'a job', use: goesTo(/\/jobs\/10$/) },
  { name: /^button Delete job \d+$/, on: 'a job', use: changes('/jobs', twice) },
  // Room
  { name: /^summary A bad day…$/, on: 'Room', use: toggles },
  {
    name: /^button (?:A client that dies|Jam after jam|Out of paper at noon|Scales that lie|Weak wireless)$/,
    on: 'Room',
    use: changes('/faults', async ({ page, control }) => {
      await page.getByText('A bad day…').click();
      await control.click();
    }),
  },
  { name: /^button Print a test page on /, on: 'Room', use: changes('/jobs') },
  { name: /^a Last printed: /, on: 'Room', use: goesTo(/\/jobs\/\d+$/) },
  { name: /^a Capabilities$/, on: 'Room', use: shows('dialog pre') },
  { name: /^a Faults of /, on: 'Room', use: shows('dialog select') },
  {
    name: /^select Fault$/,
    on: 'faults of a printer',
    use: async ({ page, control }) => {
      await control.selectOption({ index: 1 });
      await page.getByRole('button', { name: 'Put it in force' }).waitFor(SOON);
    },
  },
  { name: /^button (?:Take out|Fill) /, on: 'Room', use: changes('/room') },
  { name: /^select Toner: /, on: 'Room', use: changes('/room', chooses('low')) },
  {
    name: /^input (?:Online|Cover open|Jam|Plugged in): /,
    on: 'Room',
    use: changes('/room', async ({ control }) => control.evaluate((one) => one.click())),
  },
  { name: /^input Grams on /, on: 'Room', use: changes('/room', types('321')) },
  {
    name: /^input Weight on /,
    on: 'Room',
    use: changes('/room', async ({ page, control }) => {
      await control.focus();
      await page.keyboard.press('ArrowRight');
    }),
  },
  { name: /^button (?:tare|zero|unit|power)$/, on: 'Room', use: changes('/room') },
  { name: /^button Add a (?:printer|scale) to /, on: 'Room', use: shows('dialog .profile') },
  { name: /^input New computer/, on: 'Room', use: changes('/room', types('ATTIC')) },
  {
    name: /^button\.submit Add$/,
    on: 'Room',
    use: changes('/room', async ({ page, control }) => {
      await page.getByLabel('New computer').fill('CELLAR');
      await control.click();
    }),
  },
  { name: /^button (?:Disconnect|Crash|Sleep|Connect|Wake)$/, on: 'Room', use: changes('/room') },
  { name: /^button Remove /, on: 'Room', use: changes('/room', twice) },
  {
    name: /^button Clear [\w-]+ at /,
    on: 'Jobs',
    use: changes('/faults', async ({ page, control }) => {
      await page.locator('.faults summary').click();
      await control.click();
    }),
  },
  {
    name: /^button Clear all$/,
    on: 'Jobs',
    use: changes('/faults', async ({ page, control }) => {
      await page.locator('.faults summary').click();
      await control.click();
    }),
  },
  // Traffic
  { name: /^a (?:Requests|Deliveries)\d+$/, on: 'Traffic', use: goesTo(/traffic/) },
  {
    name: /^input Filter the traffic$/,
    on: 'Traffic',
    use: async (use) => {
      await fills('webhook')(use);
      await expect.poll(() => use.page.url(), SOON).toContain('q=webhook');
    },
  },
  { name: /^a\.traffic-row /, on: 'Traffic', use: goesTo(/traffic\?id=\d+/) },
  { name: /^button Redeliver$/, on: 'a delivery', use: changes('/deliveries') },
  {
    name: /^button HAR$/,
    on: 'Traffic',
    use: async ({ page, control }) => {
      const [file] = await Promise.all([page.waitForEvent('download', SOON), control.click()]);
      expect(file.suggestedFilename()).toBe('platen.har');
    },
  },
  { name: /^button Clear the requests$/, on: 'Traffic', use: changes('/requests', twice) },
  // Runs
  { name: /^a\.run-row /, on: 'Runs', use: goesTo(/\/runs\/./) },
  { name: /^select What to run$/, on: 'Runs', use: chooses('smoke') },
  { name: /^summary Which checks, which service$/, on: 'Runs', use: toggles },
  {
    name: /^input (?:Only checks that match|Address of the service)/,
    on: 'Runs',
    use: async (use) => {
      await use.page.getByText('Which checks, which service').click();
      await keepsValue(use);
    },
  },
  {
    name: /^input Start beside a run that is under way$/,
    on: 'Runs',
    use: async ({ page, control }) => {
      await page.getByText('Which checks, which service').click();
      await control.click();
      expect(await control.evaluate((one) => (one as HTMLInputElement).checked)).toBe(true);
    },
  },
  { name: /^summary About this run$/, on: 'a run', use: toggles },
  { name: /^a (?:Figures|Results|Findings|Clauses|Gaps)\d+$/, on: 'the clauses of a run', use: goesTo(/runs\/[^?]+$/) },
  {
    name: /^input Filter the results$/,
    on: 'a run',
    use: async (use) => {
      await fills('errors/')(use);
      await expect.poll(() => use.page.url(), SOON).toContain('q=errors');
    },
  },
  { name: /^a (?:all|[a-z-]+) \d+$/, on: 'a run', use: goesTo(/runs\//) },
  { name: /^summary (?!\d faults? in force|A bad day|Which|About)/, on: 'a run', use: toggles },
  { name: /^a [a-z0-9-]+\/[a-z0-9-]+$/, on: 'a comparison', use: goesTo(/q=/) },
  {
    name: /^select Compare with another run$/,
    on: 'a run',
    use: async (use) => {
      await chooses('made-up')(use);
      await use.page.locator('.difference td').first().waitFor(SOON);
    },
  },
  { name: /^a (?:HTML report|PDF)$/, on: 'a run', use: answers },
  { name: /^a (?:openapi\.json|another page)$/, on: 'a page that is not there', use: answers },
  { name: /^button Stop$/, on: 'a load that goes on', use: shows('button:has-text("Stop at once")') },
  { name: /^button Play this day, step by step$/, on: 'an exploration', use: alone(goesTo(/\/runs\/run-/)) },
  { name: /^button (?:Run it again|Run \S+ again)$/, on: 'a run', use: alone(goesTo(/\/runs\/check-(?!20260102)/)) },
  {
    name: /^button\.submit Run$/,
    on: 'Runs',
    use: alone(async ({ page, control }) => {
      await control.click();
      await page.locator('.detail').first().waitFor(SOON);
    }),
  },
  { name: /^button Reset the workbench/, on: 'Jobs', use: changes('/jobs', twice) },
];
