/** The `ibm` importer: from files to a written database, with a report for people. */
import { formatTime } from '../domain/text/display-text.ts';
import { InvalidInputError } from '../base/errors.ts';
import type { CalibrationWriter } from './calibration-writer.ts';
import { importIbmSnapshot, type IbmImport } from './ibm-backend.ts';
import { chipIdOf } from '../sources/ibm/ibm-json.ts';
import { readIbmSnapshot } from './ibm-files.ts';
import { remarkLines } from './remark-lines.ts';

/** What to import and where to. */
export type IbmFilesRequest = {
  /** Pairs of paths, one after another: properties, configuration, properties, configuration, … */
  readonly paths: readonly string[];
  /** Null: from the device's name. */
  readonly chipId: string | null;
  /** Null: the only project, else `demo`. */
  readonly project: string | null;
  readonly print: (line: string) => void;
};

/**
 * Reads and checks every file before anything is written. An abort takes effect between snapshots: each is there as a
 * whole or not at all.
 * @throws InvalidInputError for a file that cannot be used; ConflictError for a chip id of another device.
 */
export async function importIbmFiles(
  writer: CalibrationWriter,
  request: IbmFilesRequest,
  signal?: AbortSignal,
): Promise<void> {
  const project = await writer.projectFor(request.project);
  const imports: IbmImport[] = [];
  for (const [properties, configuration] of pairsOf(request.paths)) {
    const snapshot = await readIbmSnapshot(properties, configuration);
    const chipId = request.chipId ?? chipIdOf(snapshot.properties.backend_name);
    imports.push(importIbmSnapshot(snapshot, project, chipId));
  }
  requireOneDevicePerChip(imports);
  for (const imported of imports) {
    signal?.throwIfAborted();
    const { added, alreadyThere } = await writer.merge(imported.documents);
    report(imported, request.print);
    request.print(`  task results: ${added} added, ${alreadyThere} already present`);
  }
}

function pairsOf(paths: readonly string[]): readonly (readonly [string, string])[] {
  if (paths.length === 0 || paths.length % 2 !== 0) {
    throw InvalidInputError.at(
      [],
      `${paths.length} file(s) given, but snapshots come in pairs: props_<device>.json conf_<device>.json, then the next pair`,
    );
  }
  const pairs: (readonly [string, string])[] = [];
  for (let index = 0; index < paths.length; index += 2) {
    pairs.push([paths[index] ?? '', paths[index + 1] ?? '']);
  }
  return pairs;
}

function requireOneDevicePerChip(imports: readonly IbmImport[]): void {
  const devices = new Map<string, string>();
  for (const { chip } of imports.map(({ documents }) => documents)) {
    const device = devices.get(chip.chip_id) ?? chip.source;
    if (device !== chip.source) {
      throw InvalidInputError.at(
        [],
        `${device} and ${chip.source} would both become chip ${chip.chip_id}: import them separately, each with its own --chip-id`,
      );
    }
    devices.set(chip.chip_id, device);
  }
}

function report(
  { documents, disabled, doubts, excluded, leftOut, oldestAt, newestAt }: IbmImport,
  print: (line: string) => void,
) {
  const { chip, qubits, couplings, taskResults } = documents;
  print(
    `${chip.chip_id}: snapshot of ${chip.source} from ${formatTime(chip.system_info.updated_at)} into project ${chip.project_id}`,
  );
  print(`  ${qubits.length} qubits, ${couplings.length} directed couplings, ${taskResults.length} values`);
  print(`  measured between ${formatTime(oldestAt)} and ${formatTime(newestAt)}`);
  const remarks = [
    ...remarkLines('disabled gates', disabled),
    ...remarkLines('kept, but implausible', doubts),
    ...remarkLines('kept, but excluded from all statistics', excluded),
    ...remarkLines('skipped', leftOut),
  ];
  for (const line of remarks) print(line);
}
