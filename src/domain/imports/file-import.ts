/** Files of calibration data that somebody sends to the server, whatever their format. */

/** Below it, data comes in: `POST /import/{project}`. */
export const IMPORT_PATH = '/import/';

/** What an importer of files may be. */
export type ImportSource = 'ibm' | 'csv' | 'qibolab' | 'cirq';

/** A file as it was sent. */
export type SentDataFile = {
  readonly name: string;
  /** Where it lies, in the folder of the request. */
  readonly path: string;
};

/** How far an import is, in rows of the table or values of other files. */
export type ImportProgress = {
  /** In this order; a preview looks up what it would write. */
  readonly step: 'waiting' | 'reading' | 'checking' | 'writing';
  readonly done: number;
  /** Null where that is not known yet. */
  readonly total: number | null;
};
export type ShowProgress = (progress: ImportProgress) => void;

/** What to import, and how to read it; null: as the files say. */
export type FileImportRequest = {
  readonly projectId: string;
  /** Holds the files, and what the importer makes of them; the caller removes it. */
  readonly folder: string;
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
  /**
   * @throws UserError for files that cannot be used; nothing is written then. ImportEndedError if it ended before it was done: the same
   * files again complete it
   */
  run(request: FileImportRequest, signal: AbortSignal, onProgress: ShowProgress): Promise<FileImportReport>;
};
