/** Files of calibration data that somebody sends to the server, whatever their format. */

/** Below it, data comes in: `POST /import/{project}`. */
export const IMPORT_PATH = '/import/';

/** What an importer of files may be. */
export type ImportSource = 'ibm' | 'csv' | 'qibolab' | 'cirq';

/** A file as it was sent; `name` without folders. */
export type SentDataFile = { readonly name: string; readonly bytes: Uint8Array };

/** What to import, and how to read it; null: as the files say. */
export type FileImportRequest = {
  readonly projectId: string;
  readonly files: readonly SentDataFile[];
  readonly chip: string | null;
  /** When everything was measured, for files without times. */
  readonly time: string | null;
  /** IANA zone of times without an offset. */
  readonly timeZone: string;
  /** Of tables: make the chip, or let it grow, by the qubits that they name. */
  readonly create: boolean;
  /** Of tables: make the chip with so many qubits. */
  readonly size: number | null;
  readonly parameter: string | null;
  readonly unit: string | null;
  readonly names: 'grid' | 'pairs' | null;
  readonly skipBad: boolean;
  /** Agrees to what the importer had to guess. */
  readonly yes: boolean;
  /** Report what an import would do, and write nothing. */
  readonly preview: boolean;
};

/** What was taken and what was not, or would be. */
export type FileImportReport = {
  readonly source: ImportSource;
  readonly chipIds: readonly string[];
  /** Task results. */
  readonly added: number;
  readonly alreadyThere: number;
  readonly lines: readonly string[];
  /** What an import has to be told to agree to. */
  readonly guesses: readonly string[];
};

/** Reads files and writes their values into the calibration database. */
export type FileImporter = {
  /** Why this server imports nothing; null where it does. */
  refusal(): Promise<string | null>;
  /** @throws UserError for files that cannot be used; nothing is written then */
  run(request: FileImportRequest, signal: AbortSignal): Promise<FileImportReport>;
};
