/** Values of chips as Prometheus reads them: the same as over GraphQL, and only for members. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post } from '../support/graphql-client.ts';

let it: TestApp;
beforeAll(async () => {
  it = await createTestApp({ demo: true });
});
afterAll(() => it.stop());

const read = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`${it.url}/chip-metrics/${path}`, init);
  return { status: response.status, text: await response.text() };
};

/** `name{a="b"} 1` as a name, its labels and the number. */
const SAMPLE = /^(?<name>\w+)\{(?<labels>.*)\} (?<value>\S+)$/gmu;
const samplesOf = (text: string) =>
  [...text.matchAll(SAMPLE)].map(({ groups: { name = '', labels = '', value = '' } = {} }) => ({
    name,
    value: Number(value),
    labels: Object.fromEntries(
      [...labels.matchAll(/(\w+)="([^"]*)"/gu)].map(([, label = '', text = '']) => [label, text]),
    ),
  }));

const VALUES = `{ chip(chipId: "demo-64") {
  qubits { qid parameters { name displayValue displayUnit calibratedAt state } }
  couplings { qid: couplingId parameters { name displayValue displayUnit calibratedAt state } }
} }`;
type Value = {
  readonly name: string;
  readonly displayValue: number | null;
  readonly displayUnit: string;
  readonly calibratedAt: string;
  readonly state: string;
};
type Part = { readonly qid: string; readonly parameters: readonly Value[] };

test('each current value is there with its unit and time, and nothing that has no value', async () => {
  const { status, text } = await read('demo?chip=demo-64');
  expect(status).toBe(200);
  const samples = samplesOf(text);
  const { data } = await post(it.url, VALUES);
  const chip = data?.['chip'] as { readonly qubits: readonly Part[]; readonly couplings: readonly Part[] };
  const expected = [...chip.qubits, ...chip.couplings].flatMap(({ qid, parameters }) =>
    parameters
      .filter(({ displayValue, state }) => displayValue !== null && state !== 'DISABLED')
      .map(({ name, displayValue, displayUnit, calibratedAt }) => ({
        labels: { chip: 'demo-64', qid, parameter: name, unit: displayUnit },
        value: displayValue,
        at: Date.parse(calibratedAt) / 1_000,
      })),
  );
  expect(expected.length).toBeGreaterThan(1_000);
  const byLabels = (a: object, b: object) => JSON.stringify(a).localeCompare(JSON.stringify(b));
  const of = (metric: string) =>
    samples
      .filter(({ name }) => name === metric)
      .map(({ labels, value }) => ({ labels, value }))
      .toSorted(byLabels);
  expect(of('qpilot_parameter')).toEqual(
    expected.map(({ labels, value }) => ({ labels, value })).toSorted(byLabels),
  );
  expect(of('qpilot_parameter_measured_at_seconds')).toEqual(
    expected.map(({ labels, at }) => ({ labels, value: at })).toSorted(byLabels),
  );
  expect(of('qpilot_chip_parts').reduce((sum, { value }) => sum + value, 0)).toBe(
    chip.qubits.length + chip.couplings.length,
  );
});

test('what is not there is said plainly', async () => {
  expect(await read('nowhere')).toEqual({ status: 404, text: 'there is no such project\n' });
  expect(await read('%')).toEqual({ status: 404, text: 'there is no such project\n' });
  expect(await read('demo?chip=nine')).toEqual({
    status: 404,
    text: 'there is no chip nine in project demo; chips here: demo-64\n',
  });
  expect((await read('demo', { method: 'DELETE' })).status).toBe(405);
});

test('the board and the page know the metrics and labels that there are, and no others', async () => {
  const samples = samplesOf((await read('demo')).text);
  const labels = new Map(samples.map(({ name, labels }) => [name, Object.keys(labels)]));
  const board = await readFile('docs/operations/grafana-chips.json', 'utf8');
  const asked = [...board.matchAll(/qpilot_[a-z_]+/gu)].map(([name]) => name);
  // The demo has no part without a value, and so no state to show.
  const known = [...labels.keys(), 'qpilot_parameter_state'];
  expect(asked.filter((name) => !known.includes(name))).toEqual([]);
  const page = await readFile('docs/operations/monitoring.md', 'utf8');
  for (const name of known)
    expect([name, board.includes(name), page.includes(`\`${name}\``)]).toEqual([name, true, true]);
  for (const [, names = '', name = ''] of board.matchAll(/by \(([^)]*)\) \((?:time\(\) - )?(qpilot_\w+)/gu)) {
    const own = labels.get(name) ?? ['chip', 'qid', 'parameter', 'state'];
    expect([name, own]).toEqual([name, expect.arrayContaining(names.split(', '))]);
  }
});
