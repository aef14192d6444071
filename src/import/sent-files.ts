/** Imports files that were sent to the server by the importers of the command line, after finding out what they are. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { InvalidInputError } from '../base/errors.ts';
import type {
  FileImportReport,
  FileImportRequest,
  ImportSource,
  SentDataFile,
  ShowProgress,
} from '../domain/imports/file-import.ts';
import type { MetricCatalog } from '../domain/values/metric.ts';
import { parsePythonJson } from '../sources/python-json.ts';
import type { CalibrationWriter } from './calibration-writer.ts';
import { requireChipId } from './chip-id.ts';
import { createTimeReader } from './csv/times.ts';
import { importCirqFiles } from './import-cirq.ts';
import { importCsvFile } from './import-csv-file.ts';
import { importIbmFiles } from './import-ibm-files.ts';
import { importQibolab } from './import-qibolab.ts';
import { isGzip } from './read-input.ts';

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
  onProgress: ShowProgress,
): Promise<FileImportReport> {
  const folder = join(request.folder, 'unpacked');
  await mkdir(folder);
  try {
    const files = await storeFiles(folder, request.files);
    const report = await importStored(deps, files, request, onProgress);
    return { ...report, lines: report.lines.map((line) => inWordsOfForms(line, folder)) };
  } catch (error) {
    if (error instanceof InvalidInputError) {
      throw new InvalidInputError(
        error.issues.map((issue) => ({ ...issue, message: inWordsOfForms(issue.message, folder) })),
      );
    }
    if (error instanceof Error) error.message = inWordsOfForms(error.message, folder);
    throw error;
  }
}

async function storeFiles(folder: string, files: readonly SentDataFile[]): Promise<StoredFile[]> {
  if (files.length === 0) throw invalid('no file was sent; send them as the field files');
  const stored: StoredFile[] = [];
  let left = MAX_UNPACKED;
  for (const file of files) {
    const path = join(folder, plainName(file.name));
    if (stored.some((other) => other.path === path))
      throw invalid(`two files are called ${file.name}: rename one of them`);
    await unpack(file, path, left);
    left -= (await stat(path)).size;
    if (left < 0) throw tooLarge();
    stored.push({ path, source: await sourceOf(file.name, path) });
  }
  return stored;
}

/** Brings a file to its place, unpacked if it is gzip. @param most - bytes that may come of it */
async function unpack({ name, path: from }: SentDataFile, to: string, most: number): Promise<void> {
  if (!isGzip(await headOf(from))) return rename(from, to);
  let size = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      size += chunk.length;
      next(size > most ? tooLarge() : null, chunk);
    },
  });
  try {
    await pipeline(createReadStream(from), createGunzip(), counted, createWriteStream(to));
  } catch (cause) {
    if (cause instanceof InvalidInputError) throw cause;
    const reason = (cause as Error).message;
    throw Object.assign(invalid(`${name} is a gzip file that cannot be unpacked: ${reason}`), { cause });
  }
}

async function headOf(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Names come from outside, and become paths. */
function plainName(name: string): string {
  const plain = name.replaceAll(/[/\\\p{C}]/gu, '_').slice(-150);
  return /^\.*$/u.test(plain) ? 'file' : plain;
}

/** Of one file of JSON, whose values take many times the memory of their text; the largest devices have some 5 MB. */
const MAX_JSON_MB = 32;
const MAX_LISTS = 2_000_000;

function jsonIn(name: string, bytes: Buffer): string {
  if (bytes.length > MAX_JSON_MB * 1024 * 1024)
    throw invalid(`${name} has more than ${MAX_JSON_MB} MB of JSON`);
  const lists = bytes.reduce((count, byte) => (byte === LIST || byte === OBJECT ? count + 1 : count), 0);
  if (lists > MAX_LISTS) {
    throw invalid(
      `${name} has more than ${MAX_LISTS.toLocaleString('en')} lists and objects: it describes no device`,
    );
  }
  return bytes.toString('utf8');
}

const [LIST, OBJECT] = [0x5b, 0x7b];

/** By what a file holds. What is no JSON is a table, whose reader says what else it may be. */
async function sourceOf(name: string, path: string): Promise<ImportSource> {
  const [head] = new TextDecoder().decode(await headOf(path)).trimStart();
  if (head !== '{' && head !== '[') return 'csv';
  const content = parsePythonJson(name, jsonIn(name, await readFile(path)));
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
  onProgress: ShowProgress,
): Promise<FileImportReport> {
  const [source, ...others] = new Set(files.map((file) => file.source));
  if (source === undefined || others.length > 0)
    throw invalid(`the files are of several kinds (${[source, ...others].join(', ')}): send each kind alone`);
  const lines: string[] = [];
  const guesses: string[] = [];
  const { writer, written } = watched(stored, request.preview, onProgress);
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
    await importIbmFiles(writer, { paths, chipId, project, now, print });
  } else if (source === 'cirq') {
    await importCirqFiles(writer, { paths, chipId, project, time: readTime(), metrics, print });
  } else if (source === 'qibolab') {
    if (chipId === null && paths.some((path) => /[/\\]calibration[^/\\]*$/u.test(path)))
      throw invalid('the name of the file does not say the chip: pass --chip-id');
    await importQibolab(writer, { paths, chipId, project, time: readTime(), metrics, ...dialogue });
  } else {
    if (chipId === null) throw invalid('name the chip that the table belongs to: --chip ID');
    requireChipId(chipId);
    const { create, size, timeZone, time, skipBad, parameter, unit, names } = request;
    const naming = names === 'pairs' ? ('numbers' as const) : names;
    const ofTable = { chipId, create, size, project, timeZone, time, skipBad, parameter, unit, naming };
    const [path = '', ...more] = paths;
    if (more.length > 0) throw invalid('send one table at a time');
    await importCsvFile(writer, { path, ...ofTable, metrics, now, onProgress, ...dialogue });
  }
  return { source, ...written(), lines, guesses };
}

/** Counts what is written; in a preview, what would be. */
function watched(writer: CalibrationWriter, isPreview: boolean, onProgress: ShowProgress) {
  const chipIds = new Set<string>();
  const sum = { added: 0, alreadyThere: 0 };
  const previewed = new Set<string>();
  const merge: CalibrationWriter['merge'] = async (documents, given) => {
    const before = sum.added + sum.alreadyThere;
    const onWritten = (done: number): void =>
      onProgress({ step: 'writing', done: before + done, total: null });
    const options = { onWritten, ...given };
    const report = isPreview
      ? await writer.preview(documents, previewed, options)
      : await writer.merge(documents, options);
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
