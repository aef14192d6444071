/** The `cirq` importer: calibrations of Google devices, whose qubits are named by row and column. */
import { basename } from 'node:path';
import { InvalidInputError } from '../base/errors.ts';
import { countOf, formatTime } from '../domain/text/display-text.ts';
import type { MetricCatalog } from '../domain/values/metric.ts';
import { judge } from '../domain/values/plausibility.ts';
import { CIRQ_DEFINITIONS, readCirqCalibration, type CirqCalibration } from '../sources/cirq/cirq-json.ts';
import type { CalibrationWriter } from './calibration-writer.ts';
import { requireChipId } from './chip-id.ts';
import { dayInName } from './day-in-name.ts';
import { gridLegend, numberGrid } from './grid-names.ts';
import { readInputText } from './read-input.ts';
import { remarkLines } from './remark-lines.ts';
import { snapshotDocuments, type SnapshotValue } from './snapshot-documents.ts';

/** What to import and where to. */
export type CirqRequest = {
  readonly paths: readonly string[];
  /** Null: the file's name up to its date. */
  readonly chipId: string | null;
  /** Null: the only project, else `demo`. */
  readonly project: string | null;
  /** When a file without a time of its own was written. */
  readonly time: Date | null;
  readonly metrics: MetricCatalog;
  readonly print: (line: string) => void;
};

const KIND = 'cirq';

/**
 * Reads and checks every file before anything is written.
 * @throws InvalidInputError for a file that cannot be used; ConflictError for a chip id of another device.
 */
export async function importCirqFiles(
  writer: CalibrationWriter,
  { paths, chipId, project, time, metrics, print }: CirqRequest,
  signal?: AbortSignal,
): Promise<void> {
  if (paths.length === 0)
    throw invalid('give one or more calibration files, such as rainbow_2021_11_16_calibration.json');
  const projectId = await writer.projectFor(project);
  const files: (CirqFile & { readonly chipId: string })[] = [];
  for (const path of paths) {
    const name = basename(path);
    const file = { name, ...timeOf(name, readCirqCalibration(name, await readInputText(path)), time) };
    const id = chipId ?? name.replace(/[-_.]?(?:\d{4}[-_]\d{2}[-_]\d{2}.*|calibration.*|json.*)$/iu, '');
    requireChipId(id);
    files.push({ ...file, chipId: id });
  }
  for (const file of files.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    signal?.throwIfAborted();
    await importFile(writer, file, { projectId, chipId: file.chipId, metrics, print });
  }
}

type CirqFile = {
  readonly name: string;
  readonly at: Date;
  readonly timeFrom: string;
  readonly content: CirqCalibration;
};

/** The file's own time, that of its name, or the one given. */
function timeOf(name: string, content: CirqCalibration, time: Date | null): Omit<CirqFile, 'name'> {
  if (content.at !== null) return { content, at: content.at, timeFrom: 'as the file says' };
  if (time !== null) return { content, at: time, timeFrom: 'as --time says; the file has no time' };
  const at = dayInName(name);
  if (at === null) throw invalid(`${name} has no time, nor a day in its name: pass --time`);
  return { content, at, timeFrom: 'the day in its name; the file has no time' };
}

async function importFile(
  writer: CalibrationWriter,
  { name, at, timeFrom, content }: CirqFile,
  request: Pick<CirqRequest, 'metrics' | 'print'> & { readonly projectId: string; readonly chipId: string },
): Promise<void> {
  const { projectId, chipId, metrics, print } = request;
  const stored = await writer.chipOf(projectId, chipId);
  const names = content.readings.flatMap(({ qid }) => qid.split('-'));
  const { qidOf, layout } = numberGrid(names, stored?.chip.layout ?? null);
  const values = content.readings.map((reading): SnapshotValue => {
    const qid = qidOf(reading.qid) ?? reading.qid;
    const metric = metrics.find(reading.parameter, reading.kind === 'qubit' ? 'QUBIT' : 'COUPLING');
    return { ...reading, qid, measuredAt: at, ...judge(reading.value, reading.unit, metric) };
  });
  const couplingIds = [...new Set(values.flatMap(({ qid, kind }) => (kind === 'coupling' ? [qid] : [])))];
  const qids = [...new Set(names)].flatMap((named) => qidOf(named) ?? []);
  const documents = snapshotDocuments({ projectId, chipId, device: chipId, kind: KIND, layout }, [
    { at, origin: { file: name }, qids, couplingIds, values },
  ]);
  const { added, alreadyThere } = await writer.merge(documents);
  const remarks = (reason: 'doubt' | 'unusable'): readonly string[] =>
    values.flatMap((value) =>
      value[reason] ? [`${value.parameter} of ${value.qid}: ${value[reason]}`] : [],
    );
  const lines = [
    `${chipId}: ${name} into project ${projectId}`,
    `  ${countOf(documents.qubits.length, 'qubit')}, ${countOf(documents.couplings.length, 'coupling')}, ${countOf(values.length, 'value')} of ${formatTime(at)} (${timeFrom})`,
    `  qubits are numbered row by row: ${gridLegend(layout)}`,
    ...CIRQ_DEFINITIONS.map((line) => `  ${line}`),
    ...(content.repeated > 0
      ? [`  values that repeat the other direction of a pair: ${content.repeated}`]
      : []),
    ...remarkLines(
      'not taken',
      [...content.notTaken].map(([metric, count]) => `${metric}: ${count}`),
    ),
    ...remarkLines('kept, but in doubt', remarks('doubt')),
    ...remarkLines('kept, but excluded from all statistics', remarks('unusable')),
    `  task results: ${added} added, ${alreadyThere} already present`,
  ];
  for (const line of lines) print(line);
}

const invalid = (message: string): InvalidInputError => InvalidInputError.at([], message);
