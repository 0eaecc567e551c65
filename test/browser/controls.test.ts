import { describe, expect, it } from 'vitest';

import { CONTROLS, controlsOf, findControl, namesOf } from './support/controls.ts';
import { stagedPage, stagedViews } from './support/staged-views.ts';
import { openView, VIEWS } from './support/views.ts';

/** A browser takes its time on a machine that has other things to do. */
const LIMIT_MS = 120_000;
/** Code and the address bar have the focus once in a round. */
const OTHER_STOPS = 10;

/** What takes something away, by the keyboard. */
const TAKING_AWAY: readonly {
  readonly on: string;
  /** Opened first. */
  readonly open?: string;
  readonly pressed: RegExp;
  /** What is different afterwards. */
  readonly path: string;
}[] = [
  { on: 'Room', pressed: /^Remove .*Scale/i, path: '/room' },
  { on: 'Room', pressed: /^Remove Label/, path: '/room' },
  { on: 'Room', pressed: /^Remove BACK-OFFICE/, path: '/room' },
  { on: 'a job', pressed: /^Delete job/, path: '/jobs' },
  { on: 'Traffic', pressed: /^Clear the requests/, path: '/requests' },
  { on: 'Jobs', open: '.faults summary', pressed: /^Clear [\w-]+ at /, path: '/faults' },
];

/** What opens something over the page. */
const OPENERS = [
  { on: 'Jobs', opener: 'button[title^="Keys"]', shown: 'dialog' },
  { on: 'Jobs', opener: '.faults summary', shown: '.faults .popover' },
  { on: 'Room', opener: 'summary:has-text("A bad day")', shown: 'button:has-text("Jam after jam")' },
  { on: 'Room', opener: 'button:has-text("Add a printer")', shown: 'dialog' },
  { on: 'Room', opener: 'a:has-text("Capabilities")', shown: 'dialog' },
  { on: 'a job', opener: 'a[title^="Enlarge: "]', shown: 'dialog' },
] as const;

describe('every control of every view', { tags: ['browser'], timeout: LIMIT_MS }, () => {
  const place = stagedViews();
  const nextPage = stagedPage(place, { permissions: ['clipboard-read', 'clipboard-write'] });

  it.each(VIEWS)('is in the table of those that tests use: $name', async (view) => {
    await using watched = await nextPage();
    await openView(watched.page, place.stage, view);
    const names = await (await controlsOf(watched.page)).evaluate(namesOf);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => CONTROLS.filter((row) => row.name.test(name)).length !== 1)).toEqual([]);
    if (view.path.startsWith('nothing')) watched.complaints.splice(0);
  });

  it.each(VIEWS)('is reached by Tab, and shows that it has the focus: $name', async (view) => {
    await using watched = await nextPage();
    await openView(watched.page, place.stage, view);
    const controls = await controlsOf(watched.page);
    const names = await controls.evaluate(namesOf);
    await watched.page.evaluate(noteFocus);
    for (let stop = 0; stop < names.length + OTHER_STOPS; stop++) await watched.page.keyboard.press('Tab');
    const stops = (await controls.evaluate(stopsAt)).map((stop, at) => [names[at], stop]);
    expect(stops.filter(([, stop]) => stop !== 'seen' && stop !== 'not usable')).toEqual([]);
    watched.complaints.splice(0);
  });

  it.each(OPENERS)('goes back with Escape to what opened it: $opener', async ({ on, opener, shown }) => {
    const view = VIEWS.find((one) => one.name === on);
    if (!view) throw new Error(`there is no view '${on}'`);
    await using watched = await nextPage();
    const { page } = watched;
    await openView(page, place.stage, view);
    await page.locator(opener).first().press('Enter');
    await page.locator(shown).first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator(shown).first().waitFor({ state: 'hidden' });
    expect(
      await page
        .locator(opener)
        .first()
        .evaluate((one) => one === document.activeElement),
    ).toBe(true);
  });

  it.each(CONTROLS)('does something: $name', async ({ name, on, use }) => {
    const view = VIEWS.find((one) => one.name === on);
    if (!view) throw new Error(`there is no view '${on}'`);
    await using watched = await nextPage();
    const { page, complaints } = watched;
    await openView(page, place.stage, view);
    const control = await findControl(page, name);
    if (!control) throw new Error(`${on} has no such control`);
    await use({ page, control, url: place.stage.url });
    expect(complaints.filter((complaint) => !/40[49]/.test(complaint))).toEqual([]);
    complaints.splice(0);
  });
});

describe('what takes something away', { tags: ['browser'], timeout: LIMIT_MS }, () => {
  const place = stagedViews();
  const nextPage = stagedPage(place);

  it.each(TAKING_AWAY)('leaves the focus close by after $pressed', async ({ on, open, pressed, path }) => {
    const view = VIEWS.find((one) => one.name === on);
    if (!view) throw new Error(`there is no view '${on}'`);
    await using watched = await nextPage();
    const { page } = watched;
    await openView(page, place.stage, view);
    if (open) await page.locator(open).press('Enter');
    const read = async (): Promise<string> => (await fetch(`${place.stage.url}/_platen${path}`)).text();
    const before = await read();
    await page.getByRole('button', { name: pressed }).first().focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect.poll(read).not.toBe(before);
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toMatch(/^(A|BUTTON|INPUT|SUMMARY)$/);
    watched.complaints.splice(0);
  });
});

/** Has each control note that it had the focus, and whether it showed that. */
function noteFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    const one = target as HTMLElement;
    const marks = [one, one.nextElementSibling, one.parentElement].filter((each) => each !== null);
    one.dataset['stop'] = marks.some((each) => getComputedStyle(each).outlineStyle !== 'none') ? 'seen' : 'unseen';
  });
}

/** What is disabled, in a closed part of the page, or below a dialog cannot be used. */
function stopsAt(controls: readonly HTMLElement[]): string[] {
  const dialog = document.querySelector('dialog[open]');
  return controls.map((one) => {
    const isUsable = one.checkVisibility() && !one.matches(':disabled') && (!dialog || dialog.contains(one));
    return isUsable ? (one.dataset['stop'] ?? 'not reached') : 'not usable';
  });
}
