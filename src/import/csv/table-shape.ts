/** A table as its columns are read. */
import type { Heading } from '../../sources/tables/csv-header.ts';
import type { Naming } from './entities.ts';
import type { ParameterWord } from './parameter-words.ts';

/** The text of a row, by its index; empty where the table has none. */
export type Read = (row: number) => string;

/** One value per row, and what, where and when it measures. */
export type ValueColumn = {
  readonly entity: Read;
  /** Null where the table gives no times. */
  readonly time: Read | null;
  readonly parameter: Read;
  /** What `parameter` means, where that is decided for the whole table; null: as the text of each row says. */
  readonly word: ParameterWord | null;
  readonly value: Read;
  readonly unit: Read;
  /** One standard deviation, in the unit of the value. */
  readonly error: Read;
};

/** How rows are read: a long table has one value in each, a wide one a value for every metric, qubit or time. */
export type TablePlan = {
  readonly task: Read;
  readonly values: readonly ValueColumn[];
  /** How names such as `0_6` are read. */
  readonly naming: Naming;
  /** Headings that were not recognised. */
  readonly notTaken: readonly string[];
  /** What was concluded about all values at once: lines for people. */
  readonly understood: readonly string[];
  /** Conclusions that nobody has confirmed, each with the flag that would say it. */
  readonly guesses: readonly string[];
};

/** The columns as read: `roles[i]` is what the column `headings[i]` is for, null where it may hold values. */
export type Columns = {
  readonly headings: readonly Heading[];
  readonly reads: readonly Read[];
  readonly roles: readonly (string | null)[];
  readonly rowCount: number;
};

/** Reads nothing from any row. */
export const NOTHING: Read = () => '';
