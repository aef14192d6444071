/** What there is to say in every language. Labels, titles, numbers and units come in as they are and stay so. */
import type { PeriodProblem } from './period.ts';
import type { ResultPart, ToldResult, Usual, Verdict } from './told.ts';

/** A length of time in its largest unit that says something. */
export type Duration = {
  readonly count: number;
  readonly unit: 'year' | 'month' | 'day' | 'hour' | 'minute';
};

/** When rows were measured: the oldest and the newest, each with its age. */
export type MeasuredSpan = {
  readonly oldest: string;
  readonly oldestAge: Duration;
  readonly newest: string;
  readonly newestAge: Duration;
  /** Live values stand beside them. */
  readonly hasLive: boolean;
};

/** The sentences of one language. */
export type AnswerWords = {
  /** A line of a tool's summary. */
  readonly toolLine: (line: string) => string;
  /** Why something could not be looked up; `reason` is a tool's. */
  readonly notLookedUp: (reason: string) => string;
  readonly notRun: (tool: string) => string;
  /** A calculation over what was looked up failed. */
  readonly notComputed: (reason: string) => string;
  readonly calculationNotRun: string;
  /** The question names days that cannot be looked up. */
  readonly impossiblePeriod: (period: PeriodProblem) => string;
  /** The days that the question names were not used. */
  readonly daysLeftOut: string;
  readonly needsTwoParameters: string;
  readonly needsParameterAndQubit: string;
  /** The question named no parameter; `title` was taken. */
  readonly parameterTaken: (title: string) => string;
  readonly parametersTaken: string;
  readonly heatmapShown: string;
  readonly courseShown: string;
  readonly figuresAreOverQubits: string;
  readonly askForValues: string;

  readonly qubitOnChip: (label: string, chipId: string) => string;
  readonly noValueOf: (name: string, label: string, names: readonly string[]) => string;
  readonly sameIn: (title: string) => string;
  readonly highestOfNeutral: (label: string, title: string) => string;
  readonly bestIn: (label: string, title: string, end: 'highest' | 'lowest') => string;

  /** Said first of a qubit about which something may be unusual; what is stands in a list below. */
  readonly verdict: (verdict: Verdict, label: string, chipId: string) => string;
  /** Said after a value; `deviations` without a sign. */
  readonly standsApart: (deviations: string, isBelow: boolean) => string;
  /** What was looked at without finding anything; `title` is of the parameter whose course was looked at. */
  readonly asUsual: (usual: readonly Usual[], title: string) => string;

  readonly notInLayout: (qid: string, chipId: string, first: string, last: string) => string;
  readonly place: (row: number, column: number) => string;
  readonly noNeighbours: (label: string, place: string, chipId: string) => string;
  readonly neighbours: (
    label: string,
    place: string,
    neighbours: readonly string[],
    chipId: string,
  ) => string;
  readonly coupled: (a: string, b: string) => string;
  readonly notCoupled: (a: string, b: string) => string;

  readonly measured: (span: MeasuredSpan) => string;
  readonly someTooOld: (limit: Duration) => string;
  readonly allFresh: (limit: Duration) => string;

  /** The heading of a part of what is told of a task result, without a colon. */
  readonly resultPart: (part: ResultPart, result: ToldResult) => string;
  /** A line of such a part. */
  readonly resultLine: (line: string) => string;
  readonly nothingToldOf: (heading: string) => string;

  /** A job was drafted instead of an answer. */
  readonly drafted: (expertId: string, chipId: string) => string;
  readonly notDrafted: (reason: string) => string;

  /** Said to a question that is not understood; `words` are those that are not known, maybe none. */
  readonly help: (words: readonly string[]) => string;
  readonly cannotAct: string;
  /** Said once an answer: what wrote it, and which words it left out. */
  readonly notice: (words: readonly string[]) => string;
  readonly nothingToCheck: string;
  readonly valueByValue: string;
};
