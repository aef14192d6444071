/** What the offline analyst says about its work on jobs, in one language. Names, numbers, units and quotations come in as they are and stay so. */
import type { WrittenLanguage } from '../../../domain/text/written-language.ts';
import type { StepKey } from '../step-key.ts';

/** How a part of the work is called. */
export type StepWords = {
  /** The to-do, by which the part is known again in a later phase. */
  readonly todo: string;
  /** Heading of its section. */
  readonly title: string;
};

/** What a job was narrowed to. Empty: not narrowed. */
export type ScopeWords = {
  readonly parameters: readonly string[];
  readonly entities: readonly string[];
  readonly excluded: readonly string[];
  readonly windowHours: number | null;
};

/** A value that changed, in display scale. */
export type ChangeWords = {
  readonly title: string;
  readonly label: string;
  readonly now: string;
  readonly before: string;
  readonly sigma: string;
};

/** One proposed measurement as it is told. */
export type ProposalWords = { readonly task: string; readonly label: string; readonly reason: string };

/** How many proposals there are of each reason. */
export type ProposalCounts = {
  readonly bad: number;
  readonly failed: number;
  readonly old: number;
  readonly fair: number;
};

/** Words about phases and their ends. */
export type CourseWords = {
  readonly goal: (expertId: string) => string;
  readonly goalOfReport: string;
  readonly reportTodo: (path: string) => string;
  readonly planned: (titles: readonly string[]) => string;
  readonly notesComplete: string;
  readonly notDone: string;
  readonly unknownTodo: (id: number) => string;
  readonly unknownTodoResult: string;
  readonly wrote: (path: string, notes: number) => string;
  readonly nothingToDo: string;
  readonly unreadable: (path: string) => string;
  readonly seeReport: string;
  readonly ended: (path: string) => string;
  readonly refused: (call: string, reason: string) => string;
  readonly cutOff: string;
  /** A question to the person who wanted to see the report first. */
  readonly askReview: string;
  readonly noSuchChip: (chip: string, known: readonly string[]) => string;
  readonly noChip: string;
};

/** Words of the report around its sections. */
export type ReportWords = {
  readonly title: (expertId: string, chip: string | null) => string;
  readonly written: (time: string) => string;
  readonly task: (text: string) => string;
  readonly reviewNote: (number: number, text: string) => string;
  readonly scope: (scope: ScopeWords) => string;
  readonly unfollowed: (texts: readonly string[]) => string;
  readonly result: string;
  /** Findings that are none, said together. */
  readonly nothingOn: (texts: readonly string[]) => string;
  readonly allFrom: (oldest: string, newest: string, ageHours: number) => string;
  readonly noTime: string;
  readonly unchecked: string;
  readonly uncheckedLines: readonly string[];
  readonly noTools: (titles: readonly string[]) => string;
  readonly references: string;
  readonly records: (numbers: readonly string[]) => string;
  readonly measured: (oldest: string, newest: string) => string;
  /** What {@link measured} begins with. */
  readonly measuredStart: string;
  readonly notFound: (reason: string) => string;
  readonly nothingFound: string;
};

/** Words about changes and what stands behind them. */
export type ChangesWords = {
  readonly window: (hours: number) => string;
  readonly notCompared: (hours: number) => string;
  readonly noneWorse: (compared: number, sigma: number, hours: number) => string;
  readonly worse: (
    count: number,
    compared: number,
    sigma: number,
    hours: number,
    clearest: readonly ChangeWords[],
  ) => string;
  readonly nothingToFollow: string;
  readonly together: (label: string, titles: readonly string[]) => string;
  readonly alone: (label: string, title: string) => string;
  /** Worse over many results, so that it is no single bad run. */
  readonly lasting: (label: string, title: string) => string;
  readonly onlyLookedAt: (label: string, title: string) => string;
  readonly notWorse: (label: string) => string;
  readonly notKnown: (label: string) => string;
  readonly measureNow: (label: string, title: string) => string;
  readonly noted: (lines: readonly string[]) => string;
  readonly notNoted: string;
  readonly unexplained: string;
  readonly course: (title: string, label: string) => string;
  readonly repeatSeveral: (label: string, titles: readonly string[]) => string;
  readonly repeatOnce: (label: string, title: string) => string;
  readonly waitFor: (label: string) => string;
  readonly nothingNext: string;
  readonly meanOf: (title: string, line: string) => string;
};

/** Words about values, rankings and runs. */
export type ValuesWords = {
  readonly ranked: (
    end: 'best' | 'worst',
    title: string,
    shown: readonly string[],
    of: number,
    isCouplings: boolean,
  ) => string;
  readonly rating: (rating: string) => string;
  /** A value with its rating, where it has one. */
  readonly row: (label: string, shown: string, rating: string | null) => string;
  readonly noValues: (title: string) => string;
  readonly noCouplings: string;
  readonly withoutValue: (title: string, count: number, isCouplings: boolean) => string;
  readonly distribution: (title: string, count: number) => string;
  readonly outliers: (count: number, farthest: readonly string[]) => string;
  readonly outlier: (title: string, label: string, value: string, score: number) => string;
  readonly noOutliers: string;
  readonly failures: (count: number, isMore: boolean, newest: string) => string;
  readonly failure: (task: string, label: string, time: string, message: string | null) => string;
  readonly noFailures: string;
  readonly notesOn: (labels: readonly string[]) => string;
};

/** Words about the next measurements and about advice. */
export type CalibrationWords = {
  readonly needs: (lookedAt: number, parameters: number, counts: ProposalCounts, missing: number) => string;
  readonly noNeeds: string;
  readonly repeated: (all: number, open: number) => string;
  readonly measuredAgo: (hours: number) => string;
  readonly measuredUnknown: string;
  readonly runFailed: (message: string | null) => string;
  readonly taskFor: (title: string) => string;
  readonly nothingToDo: string;
  readonly noOrder: string;
  readonly proposed: (count: number, counts: ProposalCounts, left: number) => string;
  readonly rule: string;
  readonly allOld: string;
  readonly heads: readonly string[];
  readonly csvHeads: readonly string[];
  readonly wholeOrder: (path: string) => string;
  readonly left: (proposal: ProposalWords, note: string) => string;
  readonly neverRan: (tasks: readonly string[]) => string;
  readonly adviseNote: (label: string, note: string) => string;
  readonly adviseRun: (proposal: ProposalWords) => string;
  readonly adviseOld: (hours: number) => string;
  readonly adviseNothing: string;
  /** There is no value to judge by. */
  readonly adviseFirst: string;
  readonly advised: (count: number) => string;
};

/** Words about the script and what it found. */
export type AnalysisWords = {
  readonly readsOnly: string;
  /** Of no parameter there are values enough. */
  readonly tooFew: string;
  readonly notRun: (reason: string | null) => string;
  readonly script: (path: string) => string;
  readonly method: string;
  /** A line of what the script printed. */
  readonly line: (line: string) => string;
  readonly files: (paths: readonly string[]) => string;
  readonly histogram: (name: string, unit: string) => string;
};

/** All words of one language. */
export type JobWords = {
  readonly language: WrittenLanguage;
  /** A line of a tool's summary. */
  readonly toolLine: (line: string) => string;
  readonly steps: Readonly<Record<StepKey, StepWords>>;
  readonly course: CourseWords;
  readonly report: ReportWords;
  readonly changes: ChangesWords;
  readonly values: ValuesWords;
  readonly calibration: CalibrationWords;
  readonly analysis: AnalysisWords;
};
