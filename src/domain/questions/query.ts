/** What a question asks for. */
import type { Comparison } from '../values/value-conditions.ts';
import type { ChipTimes, Period, PeriodProblem } from './period.ts';
import type { Statistic } from './statistic.ts';

/** Kinds of questions that can be answered. */
export type AskKind =
  | 'health'
  | 'rank'
  | 'heatmap'
  | 'trend'
  | 'periods'
  /** Which parts changed most in a period. */
  | 'changes'
  | 'values'
  | 'compare'
  /** One parameter of a part divided by another. */
  | 'ratio'
  | 'outliers'
  | 'topology'
  | 'parameters'
  | 'figures'
  | 'statistic'
  /** Parts whose values meet conditions. */
  | 'select'
  /** Whether values can be true. */
  | 'plausible'
  /** Which parts are disabled, missing or doubtful. */
  | 'states'
  | 'age'
  | 'runs'
  | 'executions'
  | 'notes'
  | 'lineage'
  | 'tasks'
  /** Chips, cool-downs and thresholds. */
  | 'laboratory'
  /** To do something, which no tool can. */
  | 'action';

/** A parameter, or the error that belongs to a fidelity. */
export type Quantity = { readonly metric: string; readonly isError: boolean };

/**
 * `T1 below 50 μs`; with `than`: `T2 above 2 times T1`; with `of`: against that figure of the chip. `unit` as written,
 * empty for none.
 */
export type Condition = {
  readonly quantity: Quantity;
  readonly is: Comparison;
  readonly value: number;
  readonly unit: string;
  readonly than: Quantity | null;
  readonly of: 'mean' | 'median' | null;
};

/** What a clause may say beside its parameters and parts. */
export type Slot =
  | 'parts'
  | 'order'
  | 'place'
  | 'count'
  | 'statistic'
  | 'comparative'
  | 'beside'
  | 'conditions'
  | 'excluded'
  | 'unit'
  | 'period'
  | 'before'
  /** A time as the answer: `since when`, `which day`. */
  | 'when'
  /** Each value by itself: `day by day`. */
  | 'listed'
  /** A number of parts as the answer. */
  | 'number';

/** The words that a clause has for slots; a plan of an answer has to use each of them. */
export type Said = Readonly<Partial<Record<Slot, string | undefined>>>;

/** One thing asked for. Empty lists and nulls mean that the question did not say. */
export type Ask = {
  readonly kind: AskKind;
  /** Parameter names; for unknown ones the words that the user wrote, so that the tool can say what it knows. */
  readonly metrics: readonly string[];
  /** Whether the parameter is to be given as an error: 1 minus the fidelity. */
  readonly isError: boolean;
  /** Qubits, and couplings as `0-1`. */
  readonly qids: readonly string[];
  readonly excluded: readonly string[];
  /** Whether it is about the qubits beside those, or about all that are not beside them. */
  readonly beside: 'neighbours' | 'others' | null;
  readonly chipId: string | null;
  readonly order: 'best' | 'worst' | 'highest' | 'lowest';
  /** Of changes: only those for the worse, for the better, to more or to less. */
  readonly direction: 'any' | 'worse' | 'better' | 'up' | 'down';
  readonly count: number | null;
  /** Of an order: this place alone, `third best`. */
  readonly place: number | null;
  readonly lastN: number | null;
  /** Length of the window that is compared with the one before it. */
  readonly windowHours: number | null;
  /** The days that the question names. */
  readonly period: Period | PeriodProblem | null;
  /** The earlier days that those are to be compared with. */
  readonly before: Period | null;
  readonly statistic: Statistic | null;
  readonly conditions: readonly Condition[];
  readonly join: 'and' | 'or';
  /** The state of parts that is asked about; null for any. */
  readonly state: 'Disabled' | 'Working' | 'Missing' | 'Doubtful' | null;
  /** The unit to answer in. */
  readonly unit: string | null;
  /** A calibration task, as the user wrote it. */
  readonly task: string | null;
  /** Only what failed. */
  readonly isFailed: boolean;
  /** Whether things are to be ranked against each other, so that the better one is to be named. */
  readonly wantsWinner: boolean;
  readonly said: Said;
};

/** An ask that says nothing but its kind. */
export const NO_ASK: Omit<Ask, 'kind'> = {
  metrics: [],
  isError: false,
  qids: [],
  excluded: [],
  beside: null,
  chipId: null,
  order: 'worst',
  direction: 'any',
  count: null,
  place: null,
  lastN: null,
  windowHours: null,
  period: null,
  before: null,
  statistic: null,
  conditions: [],
  join: 'and',
  state: null,
  unit: null,
  task: null,
  isFailed: false,
  wantsWinner: false,
  said: {},
};

/** Words that were read as others: a typo and what it was taken for. */
export type Correction = { readonly written: string; readonly read: string };

/** A question as it was read. A question with words in `unread` must not be answered as if they were not there. */
export type Reading = {
  readonly asks: readonly Ask[];
  readonly unread: readonly string[];
  /** Whether more was written than is read. Then nothing is, and `unread` has what the rest begins with. */
  readonly isTooLong: boolean;
  /** Sentences that ask nothing that is known; the answer to the others names them first. */
  readonly asides: readonly string[];
  readonly corrections: readonly Correction[];
  /** The chip that it is about; null where it names none. */
  readonly chipId: string | null;
  /** Whether one of its words, or of the questions before, may be the name of a chip. */
  readonly needsChips: boolean;
  /** Whether it can only be read for good with what is known of the chip: its names, its newest value, its cool-down. */
  readonly needsNames: boolean;
};

/** Names that words may have: what the project and the chip have. */
export type KnownNames = ChipTimes & {
  readonly chips: readonly string[];
  readonly parameters: readonly string[];
  readonly tasks: readonly string[];
};

export const NO_NAMES: KnownNames = { chips: [], parameters: [], tasks: [] };
