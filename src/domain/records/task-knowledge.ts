/**
 * A lab's knowledge of a kind of task besides its results: how it works, what success looks like, how it
 * fails.
 */

/** How much a failure matters. */
export const FAILURE_SEVERITIES = ['critical', 'warning', 'info'] as const;

/** A way in which the task goes wrong; `next` is what to do about it. */
export type FailureMode = {
  readonly title: string;
  readonly severity: (typeof FAILURE_SEVERITIES)[number];
  readonly cause: string;
  readonly visual: string;
  readonly next: string;
};

/** Other measurements without which a result of the task is hard to judge. */
export type RelatedContext =
  | { readonly type: 'history'; readonly lastN: number }
  | { readonly type: 'neighbor_qubits' | 'coupling'; readonly parameters: readonly string[] };

/** Something that happened, and what was learned. */
export type PastCase = {
  readonly title: string;
  readonly chip: string;
  readonly qid: string;
  readonly symptom: string;
  readonly cause: string;
  readonly resolution: string;
  readonly lesson: string;
};

/** Knowledge of one task class. Texts are Markdown without headings. */
export type TaskKnowledge = {
  /** Task class, for example `CheckT1`. */
  readonly taskName: string;
  /** What it is for, in one line. */
  readonly summary: string;
  readonly measures: string;
  readonly principle: string;
  readonly expected: string;
  readonly good: readonly string[];
  readonly bad: readonly string[];
  readonly criteria: readonly string[];
  readonly failureModes: readonly FailureMode[];
  readonly tips: readonly string[];
  /** Each `name: meaning`. */
  readonly outputs: readonly string[];
  readonly related: readonly RelatedContext[];
  readonly cases: readonly PastCase[];
};
