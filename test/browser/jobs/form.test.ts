/** The form of a new job: what can be set in it, what can be wrong with it, and that nothing typed is lost by that. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { becomes, until } from '../until.ts';
import { seriousFindings, whole } from '../app/browser.ts';
import { describeWithChromium } from '../chromium.ts';
import { startCopilotBrowser, type CopilotBrowser } from '../copilot/copilot-browser.ts';

/** After them the colours that a change of the scheme brings are drawn. */
const TWO_FRAMES = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))';

describeWithChromium('the form of a new job', () => {
  let it: CopilotBrowser;
  let context: BrowserContext;
  let page: Page;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'qpilot-form-'));
    it = await startCopilotBrowser({ demo: true, projects: ['other'], env: await withFridgeLog(folder) });
    context = await it.browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'en-US' });
    page = await it.open('/', { context });
    await page.goto(`${it.app.url}/projects/demo/jobs/new?expert=researcher`);
    await whole(page);
  });
  afterAll(async () => {
    await it?.close();
    await rm(folder, { recursive: true });
  });

  const named = (name: string) => page.getByRole('button', { name });
  const expert = (name: string) => page.getByRole('group', { name: 'Expert' }).getByRole('button', { name });
  const description = () => page.getByRole('textbox', { name: 'Short description' });
  const temperature = () => page.getByRole('textbox', { name: 'Temperature as a number' });
  const submit = () => named('Start the job').click();
  const isFine = async (name: string): Promise<void> => {
    await it.picture(page, name);
    expect(await seriousFindings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    await page.evaluate(TWO_FRAMES);
    expect(await seriousFindings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
  };

  test('tools are chosen by kind or one by one', async () => {
    await page.getByRole('button', { name: /^Tools of Time series: 4 of 4/ }).click();
    const tools = page.getByRole('listitem').filter({ hasText: 'Time series' });
    await tools.getByRole('checkbox').first().uncheck();
    await page.getByRole('button', { name: /^Tools of Time series: 3 of 4/ }).waitFor();
    await isFine('form-tools');
    await page.getByRole('switch', { name: 'Notes' }).click();
    await page.getByRole('button', { name: /^Tools of Notes: off/ }).waitFor();
    await named('Reset Notes').click();
    await page.getByRole('button', { name: /^Tools of Notes: 1 of 1/ }).waitFor();
    await becomes(() => page.getByRole('switch', { name: /^Workspace/ }).isDisabled(), true);
  });

  test('a preset is applied, says that it was modified, and why another one cannot be used', async () => {
    await named('Thorough').click();
    await page.getByRole('button', { name: 'Thorough', exact: true, pressed: true }).waitFor();
    await page.getByRole('combobox', { name: 'Reasoning' }).click();
    await page.getByRole('option', { name: 'Low' }).click();
    await page.getByRole('button', { name: 'Thorough, modified', pressed: true }).waitFor();
    await named('Thorough, modified').focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText('the model gpt-4o-mini has no provider here').waitFor();
    await named('Thorough, modified').waitFor();
    await named('Reset all settings').click();
    await page.getByRole('button', { name: 'Thorough', exact: true, pressed: false }).waitFor();
  });

  test('the slider goes to 1 and the number to 2; an emptied number is the expert’s', async () => {
    const slider = page.getByRole('slider', { name: 'Temperature' });
    await slider.press('End');
    await becomes(() => temperature().inputValue(), '1');
    await temperature().fill('1.7');
    await becomes(() => slider.getAttribute('aria-valuenow'), '1');
    await temperature().fill('2.5');
    await description().fill('Too hot');
    await submit();
    await page.getByText('Enter a number from 0 to 2.').waitFor();
    await becomes(() => temperature().evaluate((field) => field === document.activeElement), true);
    await temperature().fill('');
    await temperature().blur();
    await becomes(() => temperature().inputValue(), '0');
  });

  test('files are taken in the place of fields, and it is said which are not', async () => {
    await named('Uploads').click();
    const file = (label: string) => page.locator(`input[type=file][aria-label="${label}"]`);
    const choose = (label: string, name: string, text: string | Buffer) =>
      file(label).setInputFiles({ name, mimeType: '', buffer: Buffer.from(text) });
    await choose('Instructions from a file', 'long.md', 'x'.repeat(200_001));
    await page.getByText('long.md is too large').waitFor();
    await choose('Instructions from a file', 'picture.png', Buffer.from([0x89, 0x50, 0xff, 0x00]));
    await page.getByText('is not UTF-8 text').waitFor();
    await choose('Settings from a YAML file', 'hot.yaml', 'llm: { temperature: 9 }');
    await page.getByText('hot.yaml').waitFor();
    await page.getByRole('checkbox', { name: 'Fridge log' }).check();
    await submit();
    await page.getByText('llm.temperature').waitFor();
    await page.getByText('See the errors at the fields.').waitFor();
    await isFine('form-refused');
    await named('Settings from a YAML file: Remove the file').click();
    await page.getByText('llm.temperature').waitFor({ state: 'detached' });
  });

  test('what the server refuses stands at its field', async () => {
    await named('Edit instructions').click();
    const editor = page.getByRole('textbox', { name: 'Instructions' });
    await editor.press('Control+End');
    await page.keyboard.type('Use sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD to log in.');
    await submit();
    const field = page.getByRole('region', { name: 'Instructions' });
    await field.getByRole('alert').getByText('looks like a key').waitFor();
    await becomes(() => editor.evaluate((it) => it === document.activeElement), true);
    await named('Reset to the expert').click();
  });

  test('what the form holds is saved as an expert, over it, and deleted while it is chosen', async () => {
    await temperature().fill('0.3');
    await named('Save as an expert…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('T1 watcher');
    await becomes(() => dialog.getByRole('textbox', { name: 'ID' }).inputValue(), 't1-watcher');
    await dialog.getByRole('textbox', { name: 'ID' }).fill('writer');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('writer is shipped with QPilot').waitFor();
    await it.picture(page, 'form-save-expert');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('textbox', { name: 'ID' }).fill('t1-watcher');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expert('T1 watcher').and(page.locator('[aria-pressed=true]')).waitFor();
    await temperature().fill('0.6');
    await named('Overwrite T1 watcher').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Overwrite T1 watcher' }).click();
    await named('Reset Temperature').waitFor({ state: 'detached' });
    await becomes(() => temperature().inputValue(), '0.6');
    await description().fill('Watch T1');
    await named('Delete T1 watcher').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('T1 watcher no longer exists').waitFor();
    await submit();
    await page.getByText('See the errors at the fields.').waitFor();
    await isFine('form-expert-gone');
    expect([await description().inputValue(), await temperature().inputValue()]).toEqual(['Watch T1', '0.6']);
    await expert('Researcher').click();
    await page.getByText('T1 watcher no longer exists').waitFor({ state: 'detached' });
  });

  test('an expert whose files are broken says so and cannot be chosen', async () => {
    const broken = await it.open('about:blank', { url: '', context });
    await broken.route('**/graphql', async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      await route.fulfill({
        response,
        body: text.replace('"loadError":null', '"loadError":"no YAML in line 3"'),
      });
    });
    await broken.goto(`${it.app.url}/jobs/new`);
    await broken.getByText('Cannot be used: no YAML in line 3').waitFor();
    await becomes(() => broken.getByRole('button', { name: /Cannot be used/ }).isDisabled(), true);
    await broken.close();
  });

  test('without a server nothing is lost, and the second try makes the one job', async () => {
    await page.route('**/graphql', async (route) => {
      const isJob = route.request().postData()?.includes('idempotencyKey') === true;
      if (!isJob) return route.continue();
      // The server takes it; its answer is lost.
      await route.fetch();
      await route.abort();
    });
    await submit();
    await page.getByRole('alert').getByText('The server is not responding').waitFor();
    await page.unroute('**/graphql');
    await page.reload();
    await whole(page);
    await becomes(() => description().inputValue(), 'Watch T1');
    await submit();
    await page.getByRole('heading', { level: 1, name: 'Watch T1' }).waitFor();
    await page.getByRole('region', { name: 'Facts' }).getByText('Fridge log').waitFor();
    await page.goto(`${it.app.url}/jobs`);
    const list = page.getByRole('list', { name: 'Jobs, newest first' });
    await list.getByRole('link', { name: 'Watch T1' }).first().waitFor();
    await becomes(() => list.getByRole('link', { name: 'Watch T1' }).count(), 1);
    it.complaints.length = 0;
  });

  test('the list follows jobs that another tab cancels and tries again', async () => {
    const row = page.getByRole('listitem').filter({ hasText: 'Watch T1' });
    const other = await it.open('/jobs', { context });
    await other.getByRole('link', { name: 'Watch T1' }).click();
    await other.getByText('Done', { exact: true }).first().waitFor();
    await row.getByText('Done', { exact: true }).waitFor();
    await other.getByRole('link', { name: 'Create a similar job' }).click();
    await other.getByRole('button', { name: 'Start the job' }).click();
    await other.getByRole('button', { name: 'Cancel', exact: true }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click();
    await row.first().getByText('Cancelled', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Try “Watch T1” again' }).click();
    await other.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' });
    await isFine('jobs-live');
    await other.close();
  });

  test('what is typed while another expert loads is not replaced without asking', async () => {
    const tab = await it.open('/jobs/new?expert=researcher', { context });
    await whole(tab);
    const held = Promise.withResolvers<void>();
    await tab.route('**/graphql', async (route, request) => {
      if (request.postData()?.includes('"expertId":"writer"')) await held.promise;
      await route.continue();
    });
    await tab.getByRole('button', { name: 'Writer' }).click();
    await tab.getByRole('textbox', { name: 'Temperature as a number' }).fill('0.7');
    await tab.getByRole('button', { name: 'Reset Temperature' }).waitFor();
    held.resolve();
    await tab.getByRole('dialog', { name: 'Switch to Writer?' }).waitFor();
    await tab.close();
  });

  test('is about the chip that was looked at last', async () => {
    const other = await it.browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'en-US' });
    const there = await it.open('/projects/demo/chips/demo-64', { context: other });
    await there.getByRole('heading', { name: 'demo-64' }).first().waitFor();
    await there.goto(`${it.app.url}/jobs/new`);
    await becomes(() => there.getByRole('combobox', { name: 'Chip' }).inputValue(), 'demo-64');
    await other.close();
  });

  test('a job of another project is not there, and a form is not filled from it', async () => {
    const id = await page.getByRole('link', { name: 'Watch T1' }).first().getAttribute('href');
    await page.goto(it.app.url + id!.replace('/demo/', '/other/'));
    await page.getByRole('heading', { name: 'Job not found' }).waitFor();
    await page.goto(`${it.app.url}/projects/other/jobs/new?from=${id!.split('/').pop()}`);
    await page.getByText('The job or draft to fill this form from no longer exists.').waitFor();
    await until(async () => (await description().inputValue()) === '', { what: 'an empty form' });
    expect(it.complaints).toEqual([]);
  });
});

/** The settings as shipped, and a datasource. */
async function withFridgeLog(folder: string): Promise<Record<string, string>> {
  const settings = await readFile(new URL('../../../config/qpilot.yaml', import.meta.url), 'utf8');
  const [file, csv] = [join(folder, 'qpilot.yaml'), join(folder, 'fridge.csv')];
  const source =
    '{ id: fridge-log, name: Fridge log, type: dataset, uri: DATASOURCE_FRIDGE, readOnly: true, projects: all }';
  await writeFile(file, settings.replace('datasources: []', `datasources: [${source}]`));
  await writeFile(csv, 'at,mK\n2026-11-22T00:00:00Z,11.2\n');
  return { QPILOT_CONFIG: file, DATASOURCE_FRIDGE: pathToFileURL(csv).href };
}
