/** The `qibolab` importer: versions of a platform's `calibration.json` as a history of what was measured. */
import { InvalidInputError } from '../base/errors.ts';
import { countOf, formatTime } from '../domain/text/display-text.ts';
import type { MetricCatalog } from '../domain/values/metric.ts';
import { judge } from '../domain/values/plausibility.ts';
import { QIBOLAB_DEFINITIONS } from '../sources/qibolab/qibolab-json.ts';
import type { CalibrationWriter } from './calibration-writer.ts';
import { requireChipId } from './chip-id.ts';
import { confirm, type Dialogue } from './confirm.ts';
import { readQibolabHistory, type QibolabVersion } from './qibolab-files.ts';
import { remarkLines } from './remark-lines.ts';
import { snapshotDocuments, type DeviceSnapshot, type SnapshotValue } from './snapshot-documents.ts';
import { datedLaterAdvice, valueChanges } from './value-changes.ts';

/** What to import and where to. */
export type QibolabRequest = Dialogue & {
  /** Files, or one folder in a git repository. */
  readonly paths: readonly string[];
  /** Null: from the platform's name. */
  readonly chipId: string | null;
  /** Null: the only project, else `demo`. */
  readonly project: string | null;
  /** When a file without a time of its own was written. */
  readonly time: Date | null;
  readonly metrics: MetricCatalog;
};

const KIND = 'qibolab';

/**
 * Reads and checks every version before anything is written. A value that several versions repeat is one result, at the
 * time of the first.
 * @throws InvalidInputError for a file that cannot be used; ConflictError for a chip id of another device.
 */
export async function importQibolab(
  writer: CalibrationWriter,
  request: QibolabRequest,
  signal?: AbortSignal,
): Promise<void> {
  const { print } = request;
  const projectId = await writer.projectFor(request.project);
  const { platform, timesFrom, versions } = await readQibolabHistory(request.paths, request.time, signal);
  const chipId = request.chipId ?? platform;
  requireChipId(chipId);
  const [first, ...others] = versions;
  if (first === undefined) throw invalid(`${platform} has no version with values`);

  const earlier = await writer.writtenValuesOf(projectId, chipId, KIND);
  const all = versions.map((version) => snapshotOf(version, request.metrics));
  const changes = valueChanges(all, earlier);
  if (changes.datedLater.length > 0) throw invalid(datedLaterAdvice(changes.datedLater));
  const isOldest = earlier.every(({ measuredAt }) => measuredAt >= first.at);
  const [head, ...rest] = changes.snapshots.map((snapshot, index) =>
    index === 0 && isOldest ? withLoneDoubts(snapshot, first) : snapshot,
  );
  if (head === undefined) throw invalid(`${platform} has no version with values`);
  const values = [head, ...rest].flatMap((snapshot) => snapshot.values);
  const documents = snapshotDocuments(
    {
      projectId,
      chipId,
      device: platform,
      kind: KIND,
      layout: null,
    },
    [head, ...rest],
  );

  const [oldest, newest] = [first.at, (others.at(-1) ?? first).at];
  const preview = [
    `${chipId}: ${countOf(versions.length, 'version')} of calibration.json into project ${projectId}`,
    `  times are ${timesFrom}, from ${formatTime(oldest)} to ${formatTime(newest)}; the files carry none`,
    `  ${countOf(documents.qubits.length, 'qubit')}, ${countOf(documents.couplings.length, 'directed coupling')}, ${countOf(values.length, 'result')}; ${changes.repeated} values only repeat an older one`,
    ...QIBOLAB_DEFINITIONS.map((line) => `  ${line}`),
    `  not measured (null or 0): ${versions.reduce((sum, { content }) => sum + content.notMeasured, 0)}`,
    ...remarkLines('places not taken', notTakenIn(versions), Number.POSITIVE_INFINITY),
    ...remarkLines('kept, but in doubt', remarksOf(values, 'doubt')),
    ...remarkLines('kept, but excluded from all statistics', remarksOf(values, 'unusable')),
  ];
  await confirm(request, preview, sameDays(versions, changes.snapshots));
  signal?.throwIfAborted();
  const { added, alreadyThere } = await writer.merge(documents);
  print(`  task results: ${added} added, ${alreadyThere} already present`);
}

function snapshotOf({ at, name, commit, content }: QibolabVersion, metrics: MetricCatalog): DeviceSnapshot {
  const values = content.readings.map(({ doubtAlone: _alone, ...reading }): SnapshotValue => {
    const metric = metrics.find(reading.parameter, reading.kind === 'qubit' ? 'QUBIT' : 'COUPLING');
    return { ...reading, measuredAt: at, ...judge(reading.value, reading.unit, metric) };
  });
  const { qids, couplingIds } = content;
  return { at, origin: { file: name, ...(commit === '' ? {} : { commit }) }, qids, couplingIds, values };
}

/** Nothing shows that what the first version holds was measured for it. */
function withLoneDoubts(snapshot: DeviceSnapshot, { content }: QibolabVersion): DeviceSnapshot {
  const doubts = new Map(
    content.readings.map(({ qid, parameter, doubtAlone }) => [`${parameter} ${qid}`, doubtAlone]),
  );
  const values = snapshot.values.map((value) => ({
    ...value,
    doubt: value.doubt ?? doubts.get(`${value.parameter} ${value.qid}`) ?? null,
  }));
  return { ...snapshot, values };
}

/** Files of one day whose order changes what is current. */
function sameDays(
  versions: readonly QibolabVersion[],
  changes: readonly DeviceSnapshot[],
): readonly string[] {
  const days = new Map<string, string[]>();
  versions.forEach(({ at, name, precision }, index) => {
    if (precision !== 'day') return;
    const day = at.toISOString().slice(0, 10);
    const isAlike = days.has(day) && changes[index]?.values.length === 0;
    if (!isAlike) days.set(day, [...(days.get(day) ?? []), name]);
  });
  return [...days]
    .filter(([, names]) => names.length > 1)
    .map(
      ([day, names]) =>
        `the order of the files of ${day}, as given, a second apart: ${names.join(', then ')}`,
    );
}

function notTakenIn(versions: readonly QibolabVersion[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { content } of versions) {
    for (const [path, count] of content.notTaken) counts.set(path, (counts.get(path) ?? 0) + count);
  }
  return [...counts].map(([path, count]) => `${path}: ${count}`);
}

const remarksOf = (values: readonly SnapshotValue[], reason: 'doubt' | 'unusable'): readonly string[] =>
  values.flatMap((value) => (value[reason] ? [`${value.parameter} of ${value.qid}: ${value[reason]}`] : []));

const invalid = (message: string): InvalidInputError => InvalidInputError.at([], message);
