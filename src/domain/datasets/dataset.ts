/** Tables that users upload. Their columns have one type each; values that are missing are null. */

/** What the values of a column are. Numbers are finite; times are ISO 8601 text in UTC. */
export const DATASET_COLUMN_TYPES = ['number', 'text', 'datetime'] as const;
export type DatasetColumnType = (typeof DATASET_COLUMN_TYPES)[number];

/** A column of an uploaded table. */
export type DatasetColumn = {
  /** Its heading without the unit; unique in the table. */
  readonly name: string;
  readonly type: DatasetColumnType;
  /** From a heading such as `T1 (us)`; null where it named none. */
  readonly unit: string | null;
  /** Rows without a value. */
  readonly missing: number;
};

/** One value of a table. */
export type DatasetValue = number | string | null;

/** Columns and size of a table. */
export type TableShape = { readonly rowCount: number; readonly columns: readonly DatasetColumn[] };

/** How an uploaded file is stored. */
export type UploadKind = 'TABLE' | 'TEXT';

/** A file that a user sent: a table, or a text, which has neither rows nor columns. */
export type Upload = TableShape & {
  readonly id: string;
  /** Name of the file as it was sent, without folders. */
  readonly name: string;
  /** Size of the file as it was sent. */
  readonly sizeBytes: number;
  readonly createdAt: Date;
};

/** An upload as seen by one conversation. */
export type SessionDataset = {
  /** Unique in the conversation, made from the file's name; tools address it by this. */
  readonly dataset: string;
  readonly upload: Upload;
};

const MAX_NAME_LENGTH = 40;

/**
 * A name for the table of file `fileName` that `taken` does not hold: letters, digits, `_`, `-` and `.` only, so that
 * it can be said and typed; `_2`, `_3`… distinguish files of the same name.
 */
export function datasetName(fileName: string, taken: ReadonlySet<string>): string {
  const stem = fileName.replace(/\.(?:csv|tsv|txt)$/i, '');
  const plain = stem.normalize('NFC').replaceAll(/[^\p{L}\p{N}_.-]+/gu, '_');
  const base =
    plain
      .slice(0, MAX_NAME_LENGTH)
      .toWellFormed()
      .replaceAll(/^_+|(?<!_)_+$/g, '') || 'table';
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}_${number}`;
    if (!taken.has(name)) return name;
  }
}

/** `T1 (number, μs)`, for people and models. */
export const columnWords = ({ name, type, unit }: Pick<DatasetColumn, 'name' | 'type' | 'unit'>): string =>
  `${name} (${unit === null ? type : `${type}, ${unit}`})`;
