import DataLoader from 'dataloader';
import { expect, test } from '@jest/globals';
import { livePreflight } from '../../src/agent/preflight/live-preflight.ts';
import type { Chip } from '../../src/domain/chip/chip.ts';
import { shippedMetrics } from '../support/catalogue.ts';

const chip = (chipId: string): Chip => ({
  projectId: 'demo',
  chipId,
  size: 64,
  topologyId: null,
  layout: null,
  isActive: true,
  installedAt: null,
  currentCooldownId: null,
});

test.each([
  ['What is the T1 of Q3 right now?', 'demo-64'],
  ['What is the T1 of Q3 of torino right now?', 'torino'],
  ['torinoのQ3の今のT1は？', 'torino'],
])('%s: live values of %s', async (text, chipId) => {
  const known = ['demo-64', 'torino'];
  const loaders = {
    chip: new DataLoader(async (ids: readonly string[]) =>
      ids.map((id) => (known.includes(id) ? chip(id) : null)),
    ),
    couplingsOfChip: new DataLoader(async (chips: readonly Chip[]) => chips.map(() => [])),
  };
  const question = { text, chipId: 'demo-64', qid: null };
  const { calls } = await livePreflight(question, { metrics: shippedMetrics, loaders });
  expect(calls.map((call): unknown => JSON.parse(call.arguments))).toEqual([
    { chip_id: chipId, qids: ['3'], param_names: ['t1'] },
  ]);
});
