/** Disabled, missing and doubtful parts, as people and language models hear of them. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { MongoClient, type Db } from 'mongodb';
import { importIbmFiles } from '../../src/import/import-ibm-files.ts';
import { openCalibrationWriter } from '../../src/import/calibration-writer.ts';
import { createCalibrationServices } from '../../src/services/calibration/calibration-services.ts';
import type { CalibrationServices } from '../../src/services/calibration/calibration-services.ts';
import { createMongoCalibrationStore } from '../../src/stores/mongo/calibration-store.ts';
import { askInTurn } from '../eval/ask.ts';
import { shippedMetrics, shippedTopologies } from '../support/catalogue.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { DEMO_NOW, demoViewer } from '../support/demo-database.ts';
import { FAULTS, faultyChip, faultyFiles, type Faults } from '../support/faulty-device.ts';
import { forgetMinute } from '../support/forget-minute.ts';
import { describeWithSharedData, sharedPath } from '../support/shared-data.ts';
import { argumentsOf, openToolBench } from '../support/tool-bench.ts';

const HOUR = 3_600_000;
const DEVICE = { faults: FAULTS, name: 'faulty', at: DEMO_NOW };

describeWithSharedData('a device with faulty parts', () => {
  let app: TestApp;
  let client: MongoClient;
  let db: Db;
  let services: CalibrationServices;

  beforeAll(async () => {
    app = await createTestApp({
      chips: [
        faultyChip('auckland', DEVICE),
        faultyChip('manila', { faults: { withoutCouplings: true }, name: 'bare', at: DEMO_NOW }),
        faultyChip('manila', { faults: {}, name: 'whole', at: DEMO_NOW }),
      ],
    });
    client = await MongoClient.connect(app.environment['MONGODB_URI']!);
    db = client.db(app.environment['MONGODB_DB']);
    services = createCalibrationServices({
      store: createMongoCalibrationStore(db),
      metrics: shippedMetrics,
      topologies: shippedTopologies,
      project: null,
      now: () => DEMO_NOW,
    });
  });
  beforeEach(() => forgetMinute(app.environment['DATABASE_URL']!));
  afterAll(async () => {
    await client.close();
    await app.stop();
  });

  /** The text that a language model reads of a call. */
  async function readByModel(chipId: string, name: string, args: object): Promise<string> {
    const bench = openToolBench({ services, viewer: demoViewer, chipId, now: DEMO_NOW, readsWhole: false });
    const { output } = await bench.call(name, argumentsOf(name, args));
    return (JSON.parse(output) as { formattedSummary: string }).formattedSummary;
  }

  /** What the offline analyst answers to the last of `messages`. */
  async function answerTo(chipId: string, ...messages: readonly string[]): Promise<string> {
    const { text, failure } = await askInTurn(app.url, { messages, chipId, model: null });
    expect(failure).toBeNull();
    return text;
  }

  /** Imports snapshots of a device of three qubits in a row, each an hour after the one before it. */
  async function importSnapshots(name: string, snapshots: readonly Faults[]): Promise<void> {
    const writer = await openCalibrationWriter(db);
    for (const [index, faults] of snapshots.entries()) {
      const at = new Date(DEMO_NOW.getTime() + (index - snapshots.length) * HOUR);
      const { properties, configuration } = faultyFiles('manila', { faults, name, at });
      const paths = await Promise.all(
        Object.entries({ properties, configuration }).map(async ([kind, content]) => {
          const path = join(app.environment['DATA_DIR']!, `${name}-${index}-${kind}.json`);
          await writeFile(path, JSON.stringify(content));
          return path;
        }),
      );
      await importIbmFiles(writer, { paths, chipId: null, project: 'demo', now: DEMO_NOW, print: () => {} });
    }
  }

  test.each([
    [
      'qubit',
      'disabled',
      'faulty: 4 of its 27 qubits disabled: Q05 (Everything); Q09, Q17 (X90 Gate Fidelity, X180 Gate Fidelity and ID Gate Fidelity); Q21 (X180 Gate Fidelity).',
    ],
    [
      'coupling',
      'disabled',
      'faulty: 2 of its 28 couplings disabled: Q12-Q13, Q18-Q21 (ZX90 Gate Fidelity).\nNot disabled themselves, but with a disabled qubit: Q03-Q05, Q05-Q08, Q08-Q09, Q17-Q18.',
    ],
    [
      'coupling',
      'missing',
      expect.stringMatching(/^faulty: 1 of its 28 couplings missing: Q01-Q04 \(ZX90 Gate Fidelity\)\.$/),
    ],
    [
      'qubit',
      'missing',
      expect.stringMatching(/^faulty: 3 of its 27 qubits missing: .*Q03 .*; Q08 \(T2 Echo\)/),
    ],
    [
      'qubit',
      'doubtful',
      expect.stringMatching(
        /^faulty: 3 of its 27 qubits doubtful: Q14 \(T2 Echo\); Q20 \(T1\); Q22 \(Average Readout Fidelity\)\./,
      ),
    ],
  ])('a language model reads which %ss are %s', async (kind, state, words) => {
    expect(await readByModel('faulty', 'list_entities', { kind, state })).toEqual(words);
  });

  test('a language model reads of none how many were looked at, and nothing of what is not listed', async () => {
    expect(await readByModel('whole', 'list_entities', { kind: 'qubit', state: 'disabled' })).toBe(
      'whole: none of its 5 qubits is disabled, by the current values.',
    );
    expect(await readByModel('bare', 'list_entities', { kind: 'coupling', state: 'disabled' })).toBe(
      'bare lists no couplings, so nothing is known of their states.',
    );
  });

  test('a language model reads of disabled parts in a summary, of a qubit, and in an order', async () => {
    expect(await readByModel('faulty', 'get_chip_summary', {})).toMatch(
      /Disabled: .*Everything on 1 of 27 qubits \(Q05\)/,
    );
    const qubit = await readByModel('faulty', 'get_qubit_params', { qid: '5', param_names: ['t1'] });
    expect(qubit).toMatch(/T1: disabled, last good \d/);
    const ranked = await readByModel('faulty', 'rank_qubits', {
      metric_name: 't1',
      order: 'best',
      count: 100,
    });
    expect(ranked).toMatch(/Disabled, so without a current value: Q05 \(last good/);
    expect(ranked).not.toMatch(/Q05 \d|Q20 \d|865/);
  });

  const OFF = [/\bQ05\b/, /\bQ09\b/, /\bQ17\b/, /\bQ21\b/];
  const PAIRS = [/\bQ12-Q13\b/, /\bQ18-Q21\b/];
  const DOUBTS = [/\bQ14\b/, /\bQ20\b/, /\bQ22\b/];
  test.each<[string, readonly RegExp[]]>([
    ['Which qubits are disabled?', OFF],
    ['which qubits are dead', OFF],
    ['any qubits off?', OFF],
    ['Which qubits are not working right now?', OFF],
    ['List the qubits that are down.', OFF],
    ["what qubits can't I use on this chip", OFF],
    ['Are there unusable qubits?', OFF],
    ['Is any qubit broken?', OFF],
    ['is Q9 down?', [/As a whole: 1 \(Q09\)/]],
    ['使えない量子ビットはありますか', OFF],
    ['故障中の量子ビットはどれですか', OFF],
    ['動いていない量子ビットは？', OFF],
    ['which couplings are disabled', PAIRS],
    ['which CX gates are dead', PAIRS],
    ['停止中のカップリングはありますか', PAIRS],
    ['Which couplings are missing values?', [/\bQ01-Q04\b/]],
    ['Which qubits have no data?', [/\bQ03\b/, /\bQ08\b/]],
    ['which qubits are missing a T2?', [/\bQ08\b/]],
    ['値が欠けている量子ビットはどれ', [/\bQ03\b/, /\bQ08\b/]],
    ['Which qubits have doubtful values?', DOUBTS],
    ['疑わしい値のある量子ビットは', DOUBTS],
  ])('“%s” names them', async (question, named) => {
    const answer = await answerTo('faulty', question);
    for (const each of named) expect(answer).toMatch(each);
    expect(answer).not.toMatch(/No qubit|did not understand|理解できません/);
  });

  test('a chip without such parts is called whole by what was looked at, one without couplings is not', async () => {
    expect(await answerTo('whole', 'Is any qubit disabled?')).toMatch(
      /^No qubit of whole is disabled, by the current values of 5 qubits\./,
    );
    const bare = await answerTo('bare', 'Which couplings are disabled?');
    expect(bare).toMatch(/^bare lists no couplings, so nothing is known of their states\./);
    expect(await answerTo('bare', '無効なカップリングはありますか')).toMatch(
      /^bareにはカップリングの記載がないため/,
    );
  });

  /** Qubits by a record of the file, of those with a T1 above 100 μs, lowest first. */
  function longLived(record: string): readonly string[] {
    const { qubits } = faultyFiles('auckland', DEVICE).properties;
    const valueOf = (qid: number, name: string): number =>
      qubits[qid]?.find((each) => each.name === name)?.value ?? Number.NaN;
    return qubits
      .map((_, qid) => qid)
      .filter((qid) => qid !== 5 && valueOf(qid, 'T1') > 100 && valueOf(qid, 'T1') < 1e5)
      .filter((qid) => Number.isFinite(valueOf(qid, record)))
      .toSorted((a, b) => valueOf(a, record) - valueOf(b, record))
      .map((qid) => `Q${String(qid).padStart(2, '0')}`);
  }

  test.each([
    ['Which qubits have T1 above 100 us?', 'Which of them has the highest frequency?', 'frequency', -1],
    ['Which qubits have T1 above 100 us?', 'And the lowest T2 among those?', 'T2', 0],
    ['T1が100μsより長い量子ビットは？', 'その中で周波数が一番高いのは？', 'frequency', -1],
    ['T1が100μsより長い量子ビットは？', 'そのうちT2エコーが最も短いのはどれですか', 'T2', 0],
  ])('“%s” “%s” is about all that were found', async (first, then, record, end) => {
    const found = longLived(record);
    expect(found.length).toBeGreaterThanOrEqual(20);
    const answer = await answerTo('faulty', first, then);
    expect(answer.match(/\bQ\d\d\b/g)?.[0]).toBe(found.at(end));
    expect(answer).toContain(`${found.length}`);
  });

  test('the newest snapshot decides whether a qubit or a gate is operational', async () => {
    const off: Faults = { notOperational: ['1', '2-3'] };
    const on: Faults = { operational: ['1', '2-3'] };
    const stateOf = async (name: string) =>
      Promise.all(
        ['qubit', 'coupling'].map((kind) => readByModel(name, 'list_entities', { kind, state: 'disabled' })),
      );
    await importSnapshots('off', [{}, off]);
    expect(await stateOf('off')).toEqual([
      'off: 1 of its 5 qubits disabled: Q01 (Everything).',
      'off: 1 of its 4 couplings disabled: Q02-Q03 (ZX90 Gate Fidelity).\nNot disabled themselves, but with a disabled qubit: Q00-Q01, Q01-Q02.',
    ]);
    await importSnapshots('on', [on, off, on]);
    expect(await stateOf('on')).toEqual([
      'on: none of its 5 qubits is disabled, by the current values.',
      'on: none of its 4 couplings is disabled, by the current values.',
    ]);
  });

  test.each([
    ['R02-operational', 'faulty3', 'disabled', /Q01 \(Everything\)\.$/],
    ['R03-impossible-t1', 'imposs3', 'doubtful', /Q00, Q01 \(T1\)\.$/],
  ])('%s is read as its readme says', async (folder, chip, state, words) => {
    const writer = await openCalibrationWriter(db);
    const paths = ['props', 'conf'].map((kind) =>
      sharedPath(`data/lab-files/${folder}/${kind}_${chip}.json`),
    );
    const now = new Date('2026-11-21T00:00:00Z');
    await importIbmFiles(writer, { paths, chipId: null, project: 'demo', now, print: () => {} });
    expect(await readByModel(chip, 'list_entities', { kind: 'qubit', state })).toMatch(words);
    const ranked = await readByModel(chip, 'rank_qubits', { metric_name: 't1', order: 'best', count: 5 });
    expect(ranked.split('\n')[0]).toMatch(
      chip === 'faulty3' ? /: Q00 120\.5 .*, Q02 99\.00/ : /^The best T1 of 1 qubit on imposs3: Q02 99\.00/,
    );
  });
});
