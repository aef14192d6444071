/** A call that waits for a person, in two tabs, also after a reload. Model and MCP server are scripted; both are real servers. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  startFridge,
  untilServersAreThere,
  writeLabSettings,
  type LabServer,
} from '../../support/lab-servers.ts';
import { accessTo } from '../../support/model-access.ts';
import { startModelServer, type ModelServer } from '../../support/model-server.ts';
import { bodyOf } from '../../support/wire-bodies.ts';
import { seriousFindings } from '../app/browser.ts';
import { describeWithChromium } from '../chromium.ts';
import { askIn, startCopilotBrowser, type CopilotBrowser } from './copilot-browser.ts';

const HEAT = ['c1', 'fridge__set_heater', '{"milliwatts":2.5}'] as const;

describeWithChromium('a call that changes something', () => {
  let it: CopilotBrowser;
  let model: ModelServer;
  let fridge: LabServer;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'qpilot-lab-'));
    fridge = await startFridge();
    model = await startModelServer((index) => ({
      body: bodyOf('responses', index % 2 === 0 ? [{ call: HEAT }] : [{ text: 'The heater is set.' }]),
    }));
    const servers = [
      {
        name: 'fridge',
        title: 'Fridge log',
        url: fridge.url,
        projects: 'all',
        tools: ['*'],
        reads: ['read_*'],
      },
    ];
    const file = await writeLabSettings(folder, servers);
    const env = { ...accessTo('responses', model), QPILOT_CONFIG: file, COPILOT_MODEL: 'any-model' };
    it = await startCopilotBrowser({ demo: true, env });
    await untilServersAreThere(it.app.url);
  });
  afterAll(async () => {
    await it?.close();
    await Promise.all([model?.close(), fridge?.close(), rm(folder, { recursive: true, force: true })]);
  });

  test('shows server, tool and arguments, survives a reload, and is approved in one tab for both', async () => {
    const page = await it.open('/copilot?chip=demo-64');
    await askIn(page, 'Set the heater to 2.5 mW');
    const card = page.getByRole('group', { name: 'May this call be made?' });
    await card.getByText('set_heater of the lab’s server fridge').waitFor();
    expect(await card.getByLabel('Arguments').textContent()).toBe('{\n  "milliwatts": 2.5\n}');
    expect(await seriousFindings(page)).toEqual([]);
    await it.picture(page, 'approval');
    await page.reload();
    await card.waitFor();
    const second = await it.open(new URL(page.url()).pathname + new URL(page.url()).search);
    const other = second.getByRole('group', { name: 'May this call be made?' });
    await other.waitFor();
    expect(fridge.calls).toEqual([]);
    await other.getByRole('button', { name: 'Approve' }).click();
    await Promise.all([page, second].map((each) => each.getByText('The heater is set.').first().waitFor()));
    expect(await card.count()).toBe(0);
    expect(fridge.calls).toEqual([{ tool: 'set_heater', args: { milliwatts: 2.5 } }]);
  });

  test('is not made when it is declined', async () => {
    const page = await it.open('/copilot?chip=demo-64');
    await askIn(page, 'Set it again');
    const card = page.getByRole('group', { name: 'May this call be made?' });
    await card.getByRole('button', { name: 'Decline' }).click();
    await page.getByText('The heater is set.').first().waitFor();
    expect(fridge.calls).toHaveLength(1);
  });

  test('comes from a server that the settings page lists', async () => {
    const page = await it.open('/settings');
    await page.getByRole('heading', { name: 'MCP servers of the lab' }).waitFor();
    await page.getByText('Fridge log · HTTP · 2 tools, 1 approved call by call').waitFor();
    await it.picture(page, 'lab-servers');
    expect(it.complaints).toEqual([]);
  });
});
