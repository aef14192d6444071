import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { readFile } from 'node:fs/promises';
import type { ChipSummary } from '../../src/domain/chip/chip-summary.ts';
import { openCalibrationWriter } from '../../src/import/calibration-writer.ts';
import { importIbmFiles } from '../../src/import/import-ibm-files.ts';
import { qidLabel } from '../../src/domain/qid.ts';
import type { RunningServer } from '../../src/server/http.ts';
import {
  createCalibrationServices,
  type CalibrationServices,
} from '../../src/services/calibration/calibration-services.ts';
import { createMongoCalibrationStore } from '../../src/stores/mongo/calibration-store.ts';
import { shippedMetrics, shippedTopologies } from '../support/catalogue.ts';
import { createTestMongo, type TestMongo } from '../support/databases.ts';
import { post } from '../support/graphql-client.ts';
import { describeWithSharedData, sharedPath } from '../support/shared-data.ts';
import { startTestServer } from '../support/start-test-server.ts';
import { openToolBench } from '../support/tool-bench.ts';

/** Names of files below `data`, oldest snapshot first. */
const SNAPSHOTS = {
  torino: ['ibm-backends/{}_torino.json'],
  brisbane: ['ibm-backends/{}_brisbane.json'],
  fez: ['2025-01-22', '2025-01-23', '2025-02-26'].map((day) => `ibm-history/{}_fez.${day}.json`),
};
type Device = keyof typeof SNAPSHOTS;
const pathOf = (name: string, part: 'props' | 'conf') => sharedPath(`data/${name.replace('{}', part)}`);

type Gate = { gate: string; qubits: number[]; parameters: { name: string; value: number }[] };

/** `96-97`, …: the gates that a file marks as disabled. */
async function disabledIn(name: string, gate: string): Promise<readonly string[]> {
  const { gates } = JSON.parse(await readFile(pathOf(name, 'props'), 'utf8')) as { gates: Gate[] };
  return gates
    .filter((each) => each.gate === gate)
    .filter(({ parameters }) => parameters.some(({ name: of, value }) => of === 'gate_error' && value >= 1))
    .map(({ qubits }) => qubits.join('-'))
    .toSorted();
}

describeWithSharedData('real devices with disabled gates', () => {
  const viewer = { id: 'u1', name: 'rin', projectId: 'p1', role: 'owner' as const, isOperator: true };
  // Three hours after the newest snapshot, when no value of it is stale by the time of the import.
  const now = new Date('2025-02-26T23:00:00Z');
  let mongo: TestMongo;
  let client: MongoClient;
  let services: CalibrationServices;
  let server: RunningServer;

  beforeAll(async () => {
    mongo = await createTestMongo({ large: true });
    client = await MongoClient.connect(mongo.uri);
    const db = client.db(mongo.dbName);
    const writer = await openCalibrationWriter(db);
    const paths = Object.values(SNAPSHOTS).flatMap((names) =>
      names.flatMap((name) => [pathOf(name, 'props'), pathOf(name, 'conf')]),
    );
    await importIbmFiles(writer, { paths, chipId: null, project: 'p1', print: () => {} });
    services = createCalibrationServices({
      store: createMongoCalibrationStore(db),
      metrics: shippedMetrics,
      topologies: shippedTopologies,
      project: 'p1',
      now: () => now,
    });
    server = await startTestServer(services);
  }, 120_000);
  afterAll(async () => {
    await server.close();
    await client.close();
    await mongo.drop();
  });

  const summaryOf = async (device: Device): Promise<ChipSummary> => {
    const chip = await services.chips.get(viewer, device);
    const [summary] = await services.chipSummaries.getMany([{ chip, parameters: null }]);
    if (!summary || summary instanceof Error) throw new Error(`no summary of ${device}`);
    return summary;
  };

  test.each<[Device, string, string, number]>([
    ['torino', 'cz_gate_fidelity', 'cz', 22],
    ['brisbane', 'zx90_gate_fidelity', 'ecr', 1],
    ['fez', 'cz_gate_fidelity', 'cz', 14],
  ])(
    '%s: GraphQL lists the couplings whose %s the newest file disables',
    async (device, name, gate, count) => {
      const file = SNAPSHOTS[device].at(-1) ?? '';
      const expected = await disabledIn(file, gate);
      expect(expected).toHaveLength(count);
      const { data, errors } = await post(
        server.url,
        `{ chip(chipId: "${device}") {
           parts { list(states: [DISABLED], kind: COUPLING) { qid parameters { name state value lastGood { displayValue measuredAt } } } }
           couplings { couplingId state parameters { name state displayValue } }
         } }`,
      );
      expect(errors).toEqual([]);
      const chip = data!['chip'] as {
        parts: { list: { qid: string; parameters: { name: string; state: string }[] }[] };
        couplings: { couplingId: string; parameters: { name: string; displayValue: number | null }[] }[];
      };
      const listed = chip.parts.list.filter(({ parameters }) =>
        parameters.some((each) => each.name === name && each.state === 'DISABLED'),
      );
      expect(listed.map(({ qid }) => qid).toSorted()).toEqual(expected);
      const without = chip.couplings.filter(
        ({ parameters }) => parameters.find((each) => each.name === name)?.displayValue === null,
      );
      expect(without.map(({ couplingId }) => couplingId).toSorted()).toEqual(expected);
    },
  );

  type Listed = { readonly couplingId: string; readonly state: string };
  const couplingsOf = async (device: Device, filter: string) => {
    const { data, errors } = await post(
      server.url,
      `{ chip(chipId: "${device}") { couplings${filter} { couplingId state } } }`,
    );
    const chip = data?.['chip'] as { couplings: readonly Listed[] } | null;
    return { listed: chip?.couplings ?? [], errors };
  };

  test.each<[Device, string]>([
    ['torino', 'cz'],
    ['fez', 'cz'],
  ])('%s: couplings are filtered by the state of one gate', async (device, gate) => {
    const expected = await disabledIn(SNAPSHOTS[device].at(-1) ?? '', gate);
    const { listed } = await couplingsOf(device, '(states: [DISABLED], parameter: "cz_gate_fidelity")');
    expect(listed.map(({ couplingId }) => couplingId).toSorted()).toEqual(expected);
  });

  test.each<Device>(['torino', 'fez'])('%s: each part is in the list of its state alone', async (device) => {
    const { listed: all } = await couplingsOf(device, '');
    for (const state of ['ENABLED', 'DISABLED', 'MISSING', 'DOUBTFUL']) {
      const { listed } = await couplingsOf(device, `(states: [${state}])`);
      expect(listed).toEqual(all.filter((each) => each.state === state));
    }
    const { data } = await post(
      server.url,
      `{ chip(chipId: "${device}") { all: qubits { qid state } some: qubits(states: [DOUBTFUL, MISSING]) { qid state } } }`,
    );
    const qubits = data!['chip'] as Record<'all' | 'some', readonly { qid: string; state: string }[]>;
    expect(qubits.some).toEqual(
      qubits.all.filter(({ state }) => state === 'DOUBTFUL' || state === 'MISSING'),
    );
  });

  test.each<Device>(['torino', 'fez'])('%s: pages of a filtered list add up to it', async (device) => {
    const filter = 'states: [DISABLED], parameter: "cz_gate_fidelity"';
    const whole = (await couplingsOf(device, `(${filter})`)).listed;
    const pages: Listed[] = [];
    for (let after = ''; ;) {
      const { listed } = await couplingsOf(device, `(${filter}, first: 5${after})`);
      pages.push(...listed);
      const last = listed.at(-1);
      if (last === undefined) break;
      expect(listed.length).toBeLessThanOrEqual(5);
      after = `, after: "${last.couplingId}"`;
    }
    expect(pages).toEqual(whole);
    const { listed: all } = await couplingsOf(device, '');
    const place = all.findIndex(({ couplingId }) => couplingId === whole[0]?.couplingId);
    const { listed: enabled } = await couplingsOf(
      device,
      `(states: [ENABLED], after: "${whole[0]?.couplingId}")`,
    );
    expect(enabled).toEqual(all.slice(place + 1).filter(({ state }) => state === 'ENABLED'));
  });

  test.each([
    ['(first: 0)', '0 is not between 1 and 1000'],
    ['(first: 1001)', '1001 is not between 1 and 1000'],
    ['(after: "900-901")', '900-901 is not in this list: give the id of a part of it'],
    ['(parameter: "cz_gate_fidelity")', 'say which states of it are wanted: give `states`'],
    ['(states: [DISABLED], parameter: "cz_gate")', 'there is no parameter cz_gate'],
  ])('couplings%s is refused: %s', async (filter, message) => {
    const { errors } = await couplingsOf('torino', filter);
    expect(JSON.stringify(errors)).toContain(message);
  });

  test('what was good in January and is disabled in February is reported as past', async () => {
    const [january, february] = await Promise.all(
      [SNAPSHOTS.fez[1] ?? '', SNAPSHOTS.fez[2] ?? ''].map((name) => disabledIn(name, 'cz')),
    );
    const { parts } = await summaryOf('fez');
    const disabled = parts.flatMap(({ qid, parameters }) =>
      parameters.flatMap((value) =>
        value.name === 'cz_gate_fidelity' && value.state === 'DISABLED' ? [{ qid, value }] : [],
      ),
    );
    for (const { qid, value } of disabled) {
      expect([qid, value.lastGood === null]).toEqual([qid, (january ?? []).includes(qid)]);
      expect(value.lastGood?.measuredAt.getTime() ?? 0).toBeLessThan(Date.parse('2025-02-26T00:00:00Z'));
    }
    expect(disabled.map(({ qid }) => qid).toSorted()).toEqual(february);
  });

  test.each(Object.keys(SNAPSHOTS) as Device[])('%s: the named problems are the worst', async (device) => {
    const { health } = await summaryOf(device);
    const severities = health.problems.map(({ severity }) => severity);
    expect(severities).toEqual(severities.toSorted((a, b) => b - a));
    const bench = openToolBench({ services, viewer, chipId: device, now });
    const { formattedSummary } = await bench.result('get_chip_summary', { param_names: null });
    const chip = await services.chips.get(viewer, device);
    const worst = [...new Set(health.problems.map(({ qid }) => qid))].slice(0, 6);
    const [line = ''] = formattedSummary.split('\n').filter((each) => each.startsWith('Problems: '));
    const places = worst.map((qid) => line.indexOf(` ${qidLabel(qid, chip.size)} `));
    expect(places.toSorted((a, b) => a - b)).toEqual(places);
    expect(places[0]).toBeGreaterThan(0);
    expect(line).toContain('By the distance past the limits, worst first: ');
  });

  test('fez: values of a month before are no week, so nothing is said to have fallen', async () => {
    const bench = openToolBench({ services, viewer, chipId: 'fez', now });
    const { formattedSummary } = await bench.result('get_chip_summary', { param_names: null });
    expect(formattedSummary).toMatch(/^Falls not judged, without recorded errors .*T1/mu);
    expect(formattedSummary).not.toContain('much worse');
  });

  test('fez: layer fidelities are values of the chip, those of the newest file', async () => {
    const { general, general_qlists: lists } = JSON.parse(
      await readFile(pathOf(SNAPSHOTS.fez[2] ?? '', 'props'), 'utf8'),
    ) as {
      general: { name: string; value: number; date: string }[];
      general_qlists: { name: string; qubits: number[] }[];
    };
    const inFile = lists.map(({ name, qubits }) => {
      const { value, date } = general.find((each) => each.name === name)!;
      return {
        length: qubits.length,
        value,
        measuredAt: new Date(date).toISOString(),
        qubits: qubits.map((qid) => ({ qid: String(qid) })),
      };
    });
    expect(inFile).toHaveLength(97);
    const { data, errors } = await post(
      server.url,
      '{ chip(chipId: "fez") { layerFidelities { length value measuredAt qubits { qid } } } }',
    );
    expect(errors).toEqual([]);
    const found = (data!['chip'] as { layerFidelities: object[] }).layerFidelities;
    expect(found).toEqual(inFile.toSorted((a, b) => a.length - b.length));
    const bench = openToolBench({ services, viewer, chipId: 'fez', now });
    const { formattedSummary, data: kept } = await bench.result('get_chip_summary', { param_names: null });
    expect(formattedSummary).toContain(
      'Layer fidelity of 97 chains: 98.67 % on 4 qubits, 57.30 % on 100 qubits, measured 2025-02-24 16:29 UTC',
    );
    expect((kept as { layer_fidelities: object[] }).layer_fidelities).toHaveLength(97);
  });

  test('a chip whose newest snapshot has no layer fidelities has none', async () => {
    const chip = await services.chips.get(viewer, 'fez');
    const later = { ...chip, snapshotAt: new Date('2025-02-27T00:00:00Z') };
    expect(await services.layerFidelities.ofChip(later)).toEqual([]);
  });

  test('brisbane names its worst readout and its shortest T1', async () => {
    const bench = openToolBench({ services, viewer, chipId: 'brisbane', now });
    const { formattedSummary } = await bench.result('get_chip_summary', { param_names: null });
    expect(formattedSummary).toMatch(/Average Readout Fidelity: median 98\.00 %, Q095 76\.05 % to /);
    expect(formattedSummary).toMatch(/worst first: Q095 .*; Q119 T1 9\.94 μs \(bad, limit 20\.00 μs\)/);
    expect(formattedSummary).toMatch(/Disabled: ZX90 Gate Fidelity on 1 of 144 couplings \(Q025-Q024\)/);
    expect(formattedSummary).toMatch(/Doubtful: T2 Echo on 2 of 127 qubits \(Q102, Q119\)/);
  });
});
