import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { MongoClient } from 'mongodb';
import { groundNumbers } from '../../src/domain/grounding/ground.ts';
import { openCalibrationWriter } from '../../src/import/calibration-writer.ts';
import { writeDemo } from '../../src/import/demo.ts';
import { importIbmFiles } from '../../src/import/import-ibm-files.ts';
import { createCalibrationServices } from '../../src/services/calibration/calibration-services.ts';
import { createMongoCalibrationStore } from '../../src/stores/mongo/calibration-store.ts';
import { shippedMetrics, shippedTopologies } from '../../test/support/catalogue.ts';
import { asCount, inMs, type Bench, type Row } from '../bench.ts';
import { nowMs } from '../cpu.ts';
import { ASKED_AT } from '../../test/grounding/set/chip-data.ts';
import { HELD_OUT_SENTENCES } from '../../test/grounding/set/held-out-sentences.ts';
import { LABELLED_SENTENCES, SENTENCES_BY_CLASS } from '../../test/grounding/set/labelled-sentences.ts';
import { largeResult } from '../../test/grounding/set/large-result.ts';
import { readChips } from '../../test/grounding/set/read-chips.ts';
import { score, type Rates, type Score } from '../../test/grounding/set/score.ts';
import { medianOf } from '../rounds.ts';

/** Share of flags, or of sources, that may be wrong or missing. */
const MAX_WRONG = 0.03;

/**
 * How well numbers from data are distinguished from invented ones: labelled sentences over the demo and a
 * real device.
 */
export const grounding: Bench = async ({ stores, progress }) => {
  const mongo = await MongoClient.connect(stores.mongoUri);
  try {
    const db = mongo.db('grounding');
    const writer = await openCalibrationWriter(db);
    await writeDemo(writer, ASKED_AT);
    const files = ['props', 'conf'].map((part) => resolve(SHARED, `data/ibm-backends/${part}_brisbane.json`));
    const hasDevice = files.every((file) => existsSync(file));
    if (hasDevice)
      await importIbmFiles(writer, { paths: files, chipId: null, project: 'demo', print: () => {} });
    else progress(`only the demo chip: there is no ${files[0]}; set QPILOT_SHARED`);
    const services = createCalibrationServices({
      store: createMongoCalibrationStore(db),
      metrics: shippedMetrics,
      topologies: shippedTopologies,
      project: null,
      now: () => ASKED_AT,
    });
    const chips = await readChips(services, ['demo-64', ...(hasDevice ? ['brisbane'] : [])]);
    const startedMs = nowMs();
    const tuned = score(LABELLED_SENTENCES, chips, shippedMetrics.metrics, ASKED_AT);
    const elapsedMs = nowMs() - startedMs;
    const heldOut = score(HELD_OUT_SENTENCES, chips, shippedMetrics.metrics, ASKED_AT);
    const byClass = score(SENTENCES_BY_CLASS, chips, shippedMetrics.metrics, ASKED_AT);
    for (const mistake of [...tuned.mistakes, ...heldOut.mistakes, ...byClass.mistakes]) progress(mistake);
    for (const line of classLines(byClass)) progress(line);
    return [
      ...rowsOf('labelled', tuned, MAX_WRONG),
      ...rowsOf('held out', heldOut, null),
      ...rowsOf('by class', byClass, MAX_WRONG),
      inMs('time a sentence with its evidence', elapsedMs / tuned.sentences),
      inMs('a sentence over 1,024 qubits', largeMs(), 80),
    ];
  } finally {
    await mongo.close();
  }
};

/** A table of classes. */
function classLines({ byFamily }: Score): readonly string[] {
  const cell = ({ precision, recall, claimed, due }: Rates): string =>
    `${claimed === 0 ? '   –' : precision.toFixed(2)} ${due === 0 ? '   –' : recall.toFixed(2)}`;
  return [
    'class           flag: prec. recall   source: prec. recall',
    ...[...byFamily].map(
      ([name, { flag, source }]) => `${name.padEnd(16)}      ${cell(flag)}           ${cell(source)}`,
    ),
  ];
}

/** Median of some runs. */
function largeMs(): number {
  const evidence = { calls: [largeResult()], userTexts: [], metrics: shippedMetrics.metrics, now: ASKED_AT };
  const times = Array.from({ length: 20 }, () => {
    const startedMs = nowMs();
    groundNumbers('The parameter_3 of Q512 is 512.03 μs.', evidence);
    return nowMs() - startedMs;
  });
  return medianOf(times, Number);
}

const SHARED = process.env['QPILOT_SHARED'] ?? '../shared';

/** Limits of benches are upper limits, so mistakes are counted. */
function rowsOf(
  set: string,
  { sentences, numbers, flag, source }: Score,
  limit: number | null,
): readonly Row[] {
  const of = `${set}: ${sentences} sentences, ${numbers} numbers`;
  const row = (what: string, share: number): Row => asCount(`${of}, ${what}`, 1 - share, limit);
  return [
    row('flagged and not unsourced (1 − precision)', flag.precision),
    row('unsourced and not flagged (1 − recall)', flag.recall),
    row('sourced from elsewhere (1 − precision)', source.precision),
    row('source not found (1 − recall)', source.recall),
  ];
}
