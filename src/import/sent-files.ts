/** Imports files that were sent to the server by the importers of the command line, after finding out what they are. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidInputError } from '../base/errors.ts';
import type { FileImportReport, FileImportRequest, ImportSource } from '../domain/imports/file-import.ts';
import type { MetricCatalog } from '../domain/values/metric.ts';
import { parsePythonJson } from '../sources/python-json.ts';
import type { CalibrationWriter, WriteReport } from './calibration-writer.ts';
import { requireChipId } from './chip-id.ts';
import { createTimeReader } from './csv/times.ts';
import { importCirqFiles } from './import-cirq.ts';
import { importCsvFile } from './import-csv-file.ts';
import { importIbmFiles } from './import-ibm-files.ts';
import { importQibolab } from './import-qibolab.ts';
import { unpacked } from './read-input.ts';

/** Most bytes of all files of a request together, once unpacked. */
const MAX_UNPACKED = 128 * 1024 * 1024;

type Deps = {
  readonly writer: CalibrationWriter;
  readonly metrics: MetricCatalog;
  readonly now: Date;
};

/** A file that was unpacked to where importers read it. */
type StoredFile = { readonly path: string; readonly source: ImportSource };

/**
 * Imports files of one kind, or reports what an import of them would do.
 * @throws InvalidInputError, NotFoundError or ConflictError as the importers, in words for who sends a form
 */
export async function importSentFiles(
  deps: Deps,
  request: FileImportRequest,
  signal: AbortSignal,
): Promise<FileImportReport> {
  const folder = await mkdtemp(join(tmpdir(), 'qpilot-import-'));
  try {
    const files = await storeFiles(folder, request.files);
    const report = await importStored(deps, files, request, signal);
    return { ...report, lines: report.lines.map((line) => inWordsOfForms(line, folder)) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    error.message = inWordsOfForms(error.message, folder);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function storeFiles(folder: string, files: FileImportRequest['files']): Promise<StoredFile[]> {
  if (files.length === 0) throw invalid('no file was sent; send them as the field files');
  const stored: StoredFile[] = [];
  let left = MAX_UNPACKED;
  for (const { name, bytes } of files) {
    const path = join(folder, plainName(name));
    if (stored.some((other) => other.path === path))
      throw invalid(`two files are called ${name}: rename one of them`);
    const content = await unpacked(name, bytes, left);
    left -= content.length;
    if (left < 0) throw tooLarge();
    stored.push({ path, source: sourceOf(name, content) });
    await writeFile(path, content);
  }
  return stored;
}

/** Names come from outside, and become paths. */
function plainName(name: string): string {
  const plain = name.replaceAll(/[/\\\p{C}]/gu, '_').slice(-150);
  return /^\.*$/u.test(plain) ? 'file' : plain;
}

/** By what a file holds. What is no JSON is a table, whose reader says what else it may be. */
function sourceOf(name: string, bytes: Uint8Array): ImportSource {
  const [head] = new TextDecoder().decode(bytes.subarray(0, 1024)).trimStart();
  if (head !== '{' && head !== '[') return 'csv';
  const content = parsePythonJson(name, new TextDecoder().decode(bytes));
  const has = (key: string): boolean => typeof content === 'object' && content !== null && key in content;
  if (has('single_qubits')) return 'qibolab';
  if (has('metrics')) return 'cirq';
  if (['qubits', 'last_update_date', 'n_qubits', 'coupling_map'].some(has)) return 'ibm';
  throw invalid(
    `${name} is JSON of no known kind: IBM properties have qubits and configurations n_qubits, a Qibolab calibration has single_qubits, and one of Cirq metrics`,
  );
}

async function importStored(
  { writer: stored, metrics, now }: Deps,
  files: readonly StoredFile[],
  request: FileImportRequest,
  signal: AbortSignal,
): Promise<FileImportReport> {
  const [source, ...others] = new Set(files.map((file) => file.source));
  if (source === undefined || others.length > 0)
    throw invalid(`the files are of several kinds (${[source, ...others].join(', ')}): send each kind alone`);
  const lines: string[] = [];
  const guesses: string[] = [];
  const { writer, written } = watched(stored, request.preview);
  const { projectId: project, chip: chipId, preview } = request;
  const paths = files.map(({ path }) => path);
  const print = (line: string): void => void lines.push(line);
  const dialogue = {
    print,
    yes: request.yes && !preview,
    // Only a preview agrees to whatever it is asked, and writes nothing.
    ask: preview ? () => Promise.resolve(true) : null,
    onGuesses: (asked: readonly string[]) => void guesses.push(...asked),
  };
  const readTime = (): Date | null => {
    if (request.time === null) return null;
    const time = createTimeReader(request.timeZone, now)(request.time);
    if (typeof time === 'string') throw invalid(`--time: ${time}`);
    return time;
  };
  if (source === 'ibm') {
    await importIbmFiles(writer, { paths, chipId, project, now, print }, signal);
  } else if (source === 'cirq') {
    await importCirqFiles(writer, { paths, chipId, project, time: readTime(), metrics, print }, signal);
  } else if (source === 'qibolab') {
    if (chipId === null && paths.some((path) => /[/\\]calibration[^/\\]*$/u.test(path)))
      throw invalid('the name of the file does not say the chip: pass --chip-id');
    await importQibolab(writer, { paths, chipId, project, time: readTime(), metrics, ...dialogue }, signal);
  } else {
    if (chipId === null) throw invalid('name the chip that the table belongs to: --chip ID');
    requireChipId(chipId);
    const { create, size, timeZone, time, skipBad, parameter, unit, names } = request;
    const naming = names === 'pairs' ? ('numbers' as const) : names;
    const ofTable = { chipId, create, size, project, timeZone, time, skipBad, parameter, unit, naming };
    const [path = '', ...more] = paths;
    if (more.length > 0) throw invalid('send one table at a time');
    await importCsvFile(writer, { path, ...ofTable, metrics, now, ...dialogue }, signal);
  }
  return { source, ...written(), lines, guesses };
}

/** Counts what is written; in a preview, what would be. */
function watched(writer: CalibrationWriter, isPreview: boolean) {
  const chipIds = new Set<string>();
  const sum = { added: 0, alreadyThere: 0 };
  const previewed = new Set<string>();
  const merge = async (documents: Parameters<CalibrationWriter['merge']>[0]): Promise<WriteReport> => {
    const report = isPreview ? await writer.preview(documents, previewed) : await writer.merge(documents);
    chipIds.add(documents.chip.chip_id);
    sum.added += report.added;
    sum.alreadyThere += report.alreadyThere;
    return report;
  };
  return { writer: { ...writer, merge }, written: () => ({ chipIds: [...chipIds], ...sum }) };
}

/** Fields of the form by the option of the command that they stand for. */
const FIELDS: Readonly<Record<string, string>> = {
  'chip-id': 'chip',
  chip: 'chip',
  'time-zone': 'timeZone',
  time: 'time',
  create: 'create',
  size: 'size',
  parameter: 'parameter',
  unit: 'unit',
  names: 'names',
  'skip-bad': 'skipBad',
  yes: 'yes',
};

/** Options become fields of the form, and paths the names of the files that were sent. */
const inWordsOfForms = (text: string, folder: string): string =>
  text
    .replaceAll(`${folder}/`, '')
    .replaceAll(/--([a-z-]+)/gu, (option, name: string) =>
      FIELDS[name] === undefined ? option : `the field "${FIELDS[name]}"`,
    );

const invalid = (message: string): InvalidInputError => InvalidInputError.at([], message);
const tooLarge = (): InvalidInputError =>
  invalid(`the files have more than ${MAX_UNPACKED / 1024 / 1024} MB unpacked: send fewer at once`);
