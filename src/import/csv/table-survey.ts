/**
 * What reports and documents need of all values of a table at once. Values are read again for whatever needs each of them: a million
 * in memory would be gigabytes.
 */
import { createHash } from 'node:crypto';
import { refuseFile } from '../../sources/tables/csv-text.ts';
import { taskIdBytes, uuidOf } from '../documents.ts';
import { isNewer } from '../merge.ts';
import type { ChipRequest } from './target-chip.ts';
import type { CsvValue, RowIssue } from './row-values.ts';

/** Remarks that are listed, and how many there are in all. */
class Remarks {
  readonly #most: number;
  readonly listed: string[] = [];
  count = 0;
  constructor(most: number) {
    this.#most = most;
  }
  add(remark: () => string): void {
    this.count += 1;
    if (this.listed.length < this.#most) this.listed.push(remark());
  }
}

/** A value that is current, with the id of its task result. */
type CurrentValue = { readonly value: CsvValue; readonly taskId: string };

/** Values that are shown, from the first on. */
const SHOWN_VALUES = 3;
/** Parameters of all places together, each a current value in memory. */
const MAX_CURRENT = 200_000;
const LISTED_REMARKS = 5;
/** Bad rows that are listed; the rest is counted. */
const LISTED_ROWS = 20;

/** Is told of every value and issue of a table, in the order of its rows. */
export class TableSurvey {
  /** Places in the order in which they come. */
  readonly qubits = new Set<string>();
  readonly couplings = new Set<string>();
  readonly qids = new Set<string>();
  readonly parameters = new Set<string>();
  readonly first: CsvValue[] = [];
  readonly doubts = new Remarks(LISTED_REMARKS);
  readonly unusable = new Remarks(LISTED_REMARKS);
  /** Newest usable value of each parameter of each place. */
  readonly current = new Map<string, Map<string, CurrentValue>>();
  readonly ids: TaskIds;
  count = 0;
  empty = 0;
  issues = 0;
  decimalCommas = 0;
  oldest = Number.POSITIVE_INFINITY;
  newest = Number.NEGATIVE_INFINITY;
  ascends = true;
  descends = true;
  readonly #ofRows: RowIssue[] = [];
  readonly #ofPlaces: RowIssue[] = [];
  #before = Number.NaN;
  #currents = 0;

  constructor(target: Pick<ChipRequest, 'projectId' | 'chipId'>) {
    this.ids = new TaskIds(target);
  }

  addIssue(issue: RowIssue, of: 'row' | 'place'): void {
    this.issues += 1;
    const issues = of === 'row' ? this.#ofRows : this.#ofPlaces;
    if (issues.length < LISTED_ROWS) issues.push(issue);
  }

  /** The first issues, in the order of their lines. */
  get listedIssues(): readonly string[] {
    return [...this.#ofRows, ...this.#ofPlaces]
      .toSorted((a, b) => a.line - b.line)
      .slice(0, LISTED_ROWS)
      .map(({ line, message }) => `line ${line}: ${message}`);
  }

  add(value: CsvValue): void {
    const { qid, kind, parameter, doubt, unusable, written, measuredAt, line } = value;
    const time = measuredAt.getTime();
    this.count += 1;
    this.qids.add(qid);
    (kind === 'qubit' ? this.qubits : this.couplings).add(qid);
    this.parameters.add(parameter);
    if (this.first.length < SHOWN_VALUES) this.first.push(value);
    if (written.value.includes(',')) this.decimalCommas += 1;
    if (doubt) this.doubts.add(() => `line ${line}, ${parameter} of ${qid}: ${doubt}`);
    if (unusable) this.unusable.add(() => `line ${line}, ${parameter} of ${qid}: ${unusable}`);
    this.oldest = Math.min(this.oldest, time);
    this.newest = Math.max(this.newest, time);
    if (time < this.#before) this.ascends = false;
    if (time > this.#before) this.descends = false;
    this.#before = time;
    const taskId = uuidOf(this.ids.add(value));
    if (unusable === null) this.#keepCurrent({ value, taskId });
  }

  #keepCurrent(one: CurrentValue): void {
    const { qid, parameter } = one.value;
    const ofPlace = this.current.get(qid) ?? new Map<string, CurrentValue>();
    this.current.set(qid, ofPlace);
    const other = ofPlace.get(parameter);
    if (other === undefined && (this.#currents += 1) > MAX_CURRENT) {
      throw refuseFile(
        `the table has more than ${MAX_CURRENT.toLocaleString('en')} qubits, couplings and parameters of them: split it`,
      );
    }
    if (other === undefined || isNewer(timed(one), timed(other))) ofPlace.set(parameter, one);
  }
}

const timed = ({ value, taskId }: CurrentValue) => ({ at: value.measuredAt, id: taskId });

const ID_BYTES = 16;
/** Values of a table; the ids of so many take 80 MB, and their order as much. */
const MAX_VALUES = 5_000_000;

/** The ids of the task results of a table, in the order of its values. */
class TaskIds {
  readonly #of: readonly string[];
  #bytes = Buffer.alloc(1_024 * ID_BYTES);
  #count = 0;
  #repeats = new Set<number>();

  constructor({ projectId, chipId }: Pick<ChipRequest, 'projectId' | 'chipId'>) {
    this.#of = ['csv', projectId, chipId];
  }

  /** @throws InvalidInputError for a table of too many values */
  add({ parameter, task, qid, measuredAt, value }: CsvValue): Buffer {
    if (this.#count === MAX_VALUES) {
      throw refuseFile(`the table has more than ${MAX_VALUES.toLocaleString('en')} values: split it`);
    }
    const at = this.#count * ID_BYTES;
    if (at === this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], this.#bytes.length * 2);
    this.#count += 1;
    const id = taskIdBytes(...this.#of, parameter, task, qid, measuredAt.toISOString(), String(value));
    id.copy(this.#bytes, at);
    return id;
  }

  at = (index: number): string => uuidOf(this.#bytes.subarray(index * ID_BYTES, (index + 1) * ID_BYTES));

  /** How many there are, known as {@link repeats} is. */
  get distinct(): number {
    return this.#count - this.#repeats.size;
  }

  /** Whether an earlier value has the same id; known after {@link fingerprint}. */
  repeats = (index: number): boolean => this.#repeats.has(index);

  /** A hash of all ids in their order, whichever order the rows have, behind `name`. */
  fingerprint(name: string): string {
    const bytes = this.#bytes;
    const heads = Uint32Array.from({ length: this.#count }, (_, index) =>
      bytes.readUInt32BE(index * ID_BYTES),
    );
    const compare = (a: number, b: number): number =>
      (heads[a] ?? 0) - (heads[b] ?? 0) ||
      bytes.compare(bytes, b * ID_BYTES, (b + 1) * ID_BYTES, a * ID_BYTES, (a + 1) * ID_BYTES);
    const hash = createHash('sha256').update(name);
    let before = '';
    for (const index of Uint32Array.from(heads.keys()).sort((a, b) => compare(a, b) || a - b)) {
      const id = this.at(index);
      if (id === before) this.#repeats.add(index);
      hash.update(`\n${id}`);
      before = id;
    }
    return hash.digest('hex');
  }
}
