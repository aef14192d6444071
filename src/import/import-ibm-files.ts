/** The `ibm` importer: from files to a written database, with a report for people. */
import { InvalidInputError } from '../base/errors.ts';
import type { CalibrationWriter } from './calibration-writer.ts';
import { requireChipId } from './chip-id.ts';
import { importIbmSnapshot, type IbmImport } from './ibm-backend.ts';
import { readIbmSnapshots } from './ibm-files.ts';
import { ibmReport } from './ibm-report.ts';
import { chipIdOf } from '../sources/ibm/ibm-json.ts';

/** What to import and where to. */
export type IbmFilesRequest = {
  /** Properties and configurations of any number of snapshots and devices, in any order. */
  readonly paths: readonly string[];
  /** Null: from the device's name. */
  readonly chipId: string | null;
  /** Null: the only project, else `demo`. */
  readonly project: string | null;
  /** Values and snapshots of later times are mistakes; default: the clock. */
  readonly now?: Date;
  readonly print: (line: string) => void;
};

/**
 * Reads and checks every file before anything is written. An abort takes effect between snapshots: each is there as a
 * whole or not at all.
 * @throws InvalidInputError for a file that cannot be used; ConflictError for a chip id of another device.
 */
export async function importIbmFiles(
  writer: CalibrationWriter,
  { paths, chipId, project, now = new Date(), print }: IbmFilesRequest,
  signal?: AbortSignal,
): Promise<void> {
  const projectId = await writer.projectFor(project);
  const imports = (await readIbmSnapshots(paths, now)).map((snapshot) => {
    const id = chipId ?? chipIdOf(snapshot.properties.backend_name);
    requireChipId(id, `; choose one for ${JSON.stringify(snapshot.properties.backend_name)} with --chip-id`);
    return importIbmSnapshot(snapshot, projectId, id, now);
  });
  requireOneDevicePerChip(imports);
  for (const imported of imports) {
    signal?.throwIfAborted();
    const { added, alreadyThere } = await writer.merge(imported.documents);
    for (const line of ibmReport(imported)) print(line);
    print(`  task results: ${added} added, ${alreadyThere} already present`);
  }
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
