/** The documentation site in a real browser, under the security policy of the server. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { until } from '@qpilot/test-support';
import { createLogger } from '../../src/base/log.ts';
import { openDocs } from '../../src/server/docs-build/open-docs.ts';
import type { RunningServer } from '../../src/server/http.ts';
import { startTestServer } from '../support/start-test-server.ts';
import { openTab, seriousFindings } from './app/browser.ts';
import { describeWithChromium, openBrowser } from './chromium.ts';

describeWithChromium('the documentation', () => {
  const docs = openDocs(createLogger('silent'));
  let server: RunningServer;
  let browser: Browser;
  beforeAll(async () => {
    // Its icon is the client's.
    server = await startTestServer({}, { docs, client: { state: () => ({ kind: 'building' }) } });
    browser = await openBrowser();
    await until(async () => (await docs.visit()).kind !== 'building', {
      timeoutMs: 170_000,
      what: 'the documentation site',
    });
  });
  afterAll(async () => {
    docs.close();
    await browser.close();
    await server.close();
  });

  test.each(['light', 'dark'] as const)(
    '%s: a page, its neighbours and the search need nothing that is refused',
    async (colorScheme) => {
      const { page, complaints } = await openTab(browser, `${server.url}/docs/operating`, { colorScheme });
      expect(await page.locator('html.dark').count()).toBe(colorScheme === 'dark' ? 1 : 0);
      await page.locator('.VPSidebar a', { hasText: 'Using the API' }).click();
      await page.locator('h1', { hasText: 'Using the API' }).waitFor();
      const code = page.locator('.language-graphql span[style]').first();
      expect(await code.evaluate((element) => getComputedStyle(element).color)).not.toBe('rgb(0, 0, 0)');
      // The label of VitePress's search button is a word of the button, whose keys are drawn beside it.
      const findings = await seriousFindings(page);
      expect(findings.filter((each) => !/^label-content-name-mismatch: .*DocSearch/u.test(each))).toEqual([]);
      await page.keyboard.press('Control+k');
      await page.locator('.VPLocalSearchBox input').fill('TRUSTED_PROXIES');
      await page
        .locator('.VPLocalSearchBox .result', { hasText: 'QPilot behind a reverse proxy' })
        .first()
        .click();
      await page.waitForURL('**/docs/operations/proxies**');
      expect(complaints.filter((each) => !each.includes('503'))).toEqual([]);
      await page.context().close();
    },
  );
});
