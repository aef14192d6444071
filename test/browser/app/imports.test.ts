/** Data from files, dropped onto the page of an installation without any chip. */
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { builtClient } from '../../support/built-client.ts';
import { createTestApp, type TestApp } from '../../support/create-test-app.ts';
import { describeWithSharedData, sharedPath } from '../../support/shared-data.ts';
import { describeWithChromium, openBrowser } from '../chromium.ts';
import { openTab, seriousFindings, whole } from './browser.ts';

describeWithSharedData('imports', () => {
  describeWithChromium('of files', () => {
    let app: TestApp;
    let browser: Browser;
    beforeAll(async () => {
      const client = await builtClient();
      const env = { CALIBRATION_WRITES: '1' };
      const documents = { qpilot_meta: [{ version: 1 }] };
      [app, browser] = await Promise.all([createTestApp({ client, env, documents }), openBrowser()]);
    });
    afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
    afterAll(async () => {
      await browser?.close();
      await app?.stop();
    });

    const open = async (path: string, options = {}) => {
      const tab = await openTab(browser, app.url + path, options);
      await whole(tab.page);
      return tab;
    };

    /** As a person drops files from their desktop. */
    async function drop(page: Page, names: readonly string[]): Promise<void> {
      const files = await Promise.all(
        names.map(async (name) => [name, await readFile(sharedPath(`data/ibm-backends/${name}`), 'utf8')]),
      );
      await page.evaluate((given) => {
        const dataTransfer = new DataTransfer();
        for (const [name = '', text = ''] of given) dataTransfer.items.add(new File([text], name));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      }, files);
    }

    test('an IBM snapshot becomes the first chip, after what was understood was shown', async () => {
      const { page, complaints } = await open('/');
      await page.getByRole('heading', { level: 1, name: 'No chips yet' }).waitFor();
      await page.getByRole('region', { name: 'Drop files here' }).waitFor();
      await drop(page, ['props_manila.json']);
      await page.getByText(/manila has properties \(props_manila.json\) and no configuration/u).waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await drop(page, ['conf_manila.json']);
      await page.getByText(/^IBM backend: \d+ new results, 0 that are there already\./u).waitFor();
      await page.getByText(/records: \d+ taken, \d+ not taken/u).waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.getByRole('button', { name: /^Import \d+ results$/u }).click();
      await page.getByRole('link', { name: 'Open manila' }).click();
      await page.getByRole('heading', { level: 1, name: 'manila' }).waitFor();
      // The refused preview is a response of 400, which Chromium writes to its console.
      expect(complaints.filter((line) => !line.includes('400'))).toEqual([]);
    });

    test('a table becomes another chip, once somebody agreed to what was guessed', async () => {
      const { page } = await open('/import', { locale: 'ja' });
      await page.getByLabel('ファイルを選択').first().waitFor({ state: 'attached' });
      const text = 'qid,T1,time\n0,40.5,2026-05-02 10:00\n1,55.5,2026-05-02 10:00\n';
      const file = { name: 't1.csv', mimeType: 'text/csv', buffer: Buffer.from(`\uFEFF${text}`) };
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByRole('textbox', { name: 'チップ', exact: false }).first().fill('lab');
      await page.getByRole('button', { name: 'プレビュー' }).click();
      await page.getByText('次のように推測しました').waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.getByRole('button', { name: '2 件の結果を取り込む' }).click();
      await page.getByText('2 件の結果を取り込みました').waitFor();
      await page.getByRole('link', { name: 'lab を開く' }).click();
      await page.getByRole('heading', { level: 1, name: 'lab' }).waitFor();
    });
  });
});
