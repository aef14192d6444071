/** Alerts in a browser: a rule from the button beside a map, its preview, the alert, who acknowledged it, and the log of messages. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import { MongoClient } from 'mongodb';
import type { Browser, Page } from 'playwright-core';
import { v4 as uuid } from 'uuid';
import { builtClient } from '../../support/built-client.ts';
import { createTestApp, type TestApp } from '../../support/create-test-app.ts';
import { DEMO_NOW } from '../../support/demo-database.ts';
import { post } from '../../support/graphql-client.ts';
import { startWebhookReceiver } from '../../support/webhook-receiver.ts';
import { describeWithChromium, openBrowser } from '../chromium.ts';
import { openTab, seriousFindings, wearColors, whole } from './browser.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const pictures = process.env['QPILOT_PICTURES'];

describeWithChromium('alerts', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    const client = await builtClient();
    [app, browser] = await Promise.all([
      createTestApp({
        demo: true,
        writesCalibration: true,
        client,
        alertTimes: { everyMs: 100, pauseMs: 100 },
        env: { ALERT_PRIVATE_HOSTS: '127.0.0.1' },
      }),
      openBrowser(),
    ]);
  });
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });
  const picture = async (page: Page, name: string): Promise<void> => {
    if (!pictures) return;
    await mkdir(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  };

  test('a rule is written from a chip page, previewed and saved; its alert is seen, opened and acknowledged', async () => {
    const mongo = await MongoClient.connect(app.environment['MONGODB_URI'] ?? '');
    const set = { 'data.t1.value': 1.5, 'data.t1.calibrated_at': DEMO_NOW };
    await mongo
      .db(app.environment['MONGODB_DB'] ?? '')
      .collection('qubit')
      .updateOne({ chip_id: 'demo-64', qid: '12' }, { $set: set });
    await mongo.close();
    const { page, complaints } = await openTab(browser, `${app.url}/chips/demo-64?metric=t1`);
    await whole(page);
    await page.getByRole('link', { name: 'Warn me of T1…' }).click();
    const line = page.getByLabel('Rule in one line');
    await page.getByText(/Would warn now of/).waitFor();
    expect(await line.inputValue()).toBe('t1 of any qubit on demo-64 below 20 μs');
    await line.fill('t1 of any qubit on demo-64 belw 2 us');
    await page.getByText('"belw 2 us" is no condition').waitFor();
    await line.fill('t1 of any qubit on demo-64 below 2 us');
    await page.getByText('Would warn now of Q12.').waitFor();
    expect(await page.getByLabel('Amount').inputValue()).toBe('2 μs'); // the fields follow the line
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'New destination' }).click();
    await page.getByLabel('Quiet hours').check();
    expect(await seriousFindings(page)).toEqual([]);
    await picture(page, 'alert-rule');
    await page
      .getByRole('form', { name: 'Destination', exact: true })
      .getByRole('button', { name: 'Cancel' })
      .click();
    await page.getByRole('button', { name: 'Save the rule' }).click();
    await page.getByText('t1 of any qubit on demo-64 below 2 μs').first().waitFor();

    await page.goto(`${app.url}/chips/demo-64`);
    await page.getByRole('heading', { name: '1 open alert' }).waitFor({ timeout: 30_000 });
    await page.getByLabel('1 alert not acknowledged').first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await picture(page, 'chip-alerts');
    await page.getByRole('link', { name: 'All alerts' }).click();
    await page.getByText('T1 of Q12 is 1.50 μs, below 2 μs').waitFor();
    await page.getByRole('button', { name: /^Acknowledge Q12/ }).click();
    await page.getByLabel('Note for the others').fill('fridge is warm');
    await page.keyboard.press('Enter');
    await page.getByText(/Acknowledged by .*fridge is warm/).waitFor();
    expect(await page.getByLabel('1 alert not acknowledged').count()).toBe(0);
    await wearColors(page, 'dark');
    expect(await seriousFindings(page)).toEqual([]);
    await picture(page, 'alerts-dark');
    const japanese = await openTab(browser, `${app.url}/alerts`, { locale: 'ja', ...PHONE });
    await japanese.page.getByText('Q12 の T1 は 1.50 μs、2 μs より小さい').waitFor();
    await japanese.page.getByText('demo-64 のいずれかの量子ビットの t1 が 2 μs より小さい').first().waitFor();
    await japanese.page.getByRole('button', { name: '新しいルール' }).click();
    await japanese.page.getByLabel('1 行で書くルール').fill('t1 of any qubit on demo-64 belw 2 us');
    await japanese.page.getByText('「belw 2 us」は条件ではありません').waitFor();
    expect(await seriousFindings(japanese.page)).toEqual([]);
    expect(await japanese.page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const heights = await japanese.page
      .getByRole('button')
      .evaluateAll((all) =>
        all.filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect().height),
      );
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(24);
    await picture(japanese.page, 'alerts-ja-phone');
    await page.getByRole('link', { name: 'Q12', exact: true }).click();
    await page.waitForURL('**/chips/demo-64/qubits/12?parameter=t1');
    expect(complaints).toEqual([]);
  });

  test('a webhook is notified when answers end; its log shows the outcome of each message and can resend one', async () => {
    const receiver = await startWebhookReceiver();
    const { page, complaints } = await openTab(browser, `${app.url}/alerts`);
    await page.getByRole('button', { name: 'New destination' }).click();
    const form = page.getByRole('form', { name: 'Destination', exact: true });
    await form.getByLabel('Name').fill('automation');
    await form.getByLabel('Kind').first().click();
    await page.getByRole('option', { name: 'Webhook (signed JSON)' }).click();
    await form.getByLabel('Address of the webhook').fill(`${receiver.url}/hook`);
    await form.getByLabel('Also notify when an answer ends').check();
    await form.getByRole('button', { name: 'Save the destination' }).click();
    await page.getByText(/^whsec_/u).waitFor();
    await page.getByText('also notified about ended answers').waitFor();
    for (const status of [204, 410]) {
      receiver.answer('/hook', status);
      const mutation = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) { __typename } }`;
      await post(app.url, mutation, {
        variables: { input: { content: 'Which chips are there?', clientMessageId: uuid() } },
      });
      await until(() => receiver.received.length > (status === 204 ? 0 : 1), { what: 'the message' });
    }
    await until(
      async () => {
        const { data } = await post(app.url, '{ alertDestinations { disabledReason } }');
        return JSON.stringify(data).includes('answered 410');
      },
      { what: 'the end of the destination' },
    );
    await page.reload();
    await page.getByText(/Switched off: .* answered 410/u).waitFor();
    await page.getByText(/ended answer failed/u).waitFor();
    await page.getByRole('button', { name: 'All messages to automation' }).click();
    await page.getByText(/ended answer sent.*: 204/u).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await picture(page, 'delivery-log');
    receiver.answer('/hook', 204);
    await page.getByRole('button', { name: 'Send a test to automation' }).click();
    await page.getByText('automation took the test message.').waitFor();
    await page.getByText('Switched off').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send again' }).first().click();
    await until(() => receiver.received.length === 4, { what: 'the message that was sent again' });
    expect(receiver.received[3]?.message.id).toBe(receiver.received[1]?.message.id);
    const japanese = await openTab(browser, `${app.url}/alerts`, { locale: 'ja', ...PHONE });
    await japanese.page.getByText('回答の終了も通知します').waitFor();
    await japanese.page.getByRole('button', { name: 'automation へのすべてのメッセージ' }).click();
    expect(await japanese.page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await seriousFindings(japanese.page)).toEqual([]);
    await picture(japanese.page, 'delivery-log-ja-phone');
    expect(complaints).toEqual([]);
    await receiver.close();
  });
});
