/** What somebody new meets: the tour; and the page that compares, from the page of a chip. */
import { expect, test } from '@jest/globals';
import { describeWithChromium } from '../chromium.ts';
import { until } from '../until.ts';
import { seriousFindings, whole } from './browser.ts';
import { demoPages } from './demo-pages.ts';

describeWithChromium('somebody new', () => {
  const { open } = demoPages();

  test('takes the tour of four steps, which is not offered again but by the list of keys', async () => {
    const { page, complaints } = await open('/');
    await page.getByRole('button', { name: 'New here? Take the tour (1 min)' }).click();
    const tour = page.getByRole('dialog', { name: 'Tour' });
    const pointedAt = page.locator('[data-toured]');
    for (const [heading, what] of [
      ['What changed', 'changes'],
      ['The chip as a map', 'map'],
      ['Ask', 'panel'],
    ] as const) {
      await tour.getByRole('heading', { name: heading, exact: true }).waitFor();
      await until(async () => (await pointedAt.getAttribute('data-tour')) === what, { what });
      expect(await seriousFindings(page)).toEqual([]);
      await page.keyboard.press('Tab');
      await tour.getByRole('button', { name: 'Next' }).press('Enter');
    }
    await tour.getByText('Step 4 of 4').waitFor();
    await page.waitForURL('**/boards');
    await page.keyboard.press('Escape');
    await tour.waitFor({ state: 'detached' });
    expect(await pointedAt.count()).toBe(0);

    await page.reload();
    await whole(page);
    expect(await page.getByRole('button', { name: /Take the tour/ }).count()).toBe(0);
    await page.keyboard.press('Shift+?');
    await page.getByRole('dialog').getByRole('button', { name: 'Take the tour (1 min)' }).click();
    await tour.getByText('Step 1 of 4').waitFor();
    await page.waitForURL('**/chips/demo-64');
    expect(complaints).toEqual([]);
  });

  test('compares a chip with a week ago, by metric, by qubit, and by an address to send', async () => {
    const { page, complaints } = await open('/chips/demo-64');
    await page.getByRole('link', { name: 'Compare' }).click();
    await page.getByRole('heading', { level: 1, name: 'Compare' }).waitFor();
    await page.getByText(/^\d+ of \d+ with a value on both sides differ\.$/).waitFor();
    await page.getByRole('button', { name: 'T1 (μs)' }).click();
    await page.getByRole('heading', { name: 'T1: Distribution' }).waitFor();
    const table = page.getByRole('table', { name: 'T1 A B' });
    const differences = (await table.locator('tbody tr td:last-child').allInnerTexts()).map((text) =>
      Math.abs(Number(text.replace('−', '-'))),
    );
    expect(differences.length).toBeGreaterThan(3);
    expect(differences).toEqual(differences.toSorted((a, b) => b - a));
    expect(await seriousFindings(page)).toEqual([]);

    // On paper it is light, also for who reads in the dark.
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await page.locator('html[data-mantine-color-scheme=light]').waitFor();
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    const second = await open(new URL(page.url()).pathname + new URL(page.url()).search);
    await second.page.getByRole('heading', { name: 'T1: Distribution' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('compares chosen qubits with each other, in Japanese', async () => {
    const { page, complaints } = await open('/compare?b=demo-64&qubits=3,12', { locale: 'ja' });
    const table = page.getByRole('table', { name: /^選択した量子ビット/ });
    await table.waitFor();
    expect((await table.locator('thead th').allInnerTexts()).map((text) => text.trim())).toEqual(
      expect.arrayContaining(['Q03', 'Q12']),
    );
    await table.getByText('量子ビット周波数 (GHz)').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
