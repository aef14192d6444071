/**
 * The to-dos that the offline analyst plans: those of the expert, narrowed or widened by the request; for an unknown
 * expert whatever its tools allow.
 */
import { next, recommendations } from './advice-steps.ts';
import type { JobRequest } from './job-request.ts';
import { failures, needs, order } from './calibration-steps.ts';
import { analysis, dataset } from './coding-steps.ts';
import { causes } from './cause-step.ts';
import { incidents, period } from './record-steps.ts';
import { changes, outlierSearch } from './research-steps.ts';
import { JOB_WORDS, type StepKey } from './messages.ts';
import type { Step } from './step.ts';
import { couplings, extremes, state } from './writing-steps.ts';

const STEPS: Readonly<Record<StepKey, Step>> = {
  state,
  changes,
  causes,
  extremes,
  couplings,
  period,
  outliers: outlierSearch,
  incidents,
  data: dataset,
  analysis,
  needs,
  failures,
  order,
  next,
  recommendations,
};

const USUAL: Readonly<Record<string, readonly StepKey[]>> = {
  researcher: ['changes', 'causes', 'outliers', 'incidents', 'next'],
  coder: ['data', 'analysis'],
  writer: ['state', 'extremes', 'couplings', 'period', 'incidents', 'recommendations'],
  calibrator: ['needs', 'failures', 'order'],
};
const OF_UNKNOWN_EXPERTS: readonly StepKey[] = ['state', 'changes', 'outliers', 'incidents', 'analysis'];

/** Planned whatever the job is narrowed to: the expert's purpose. */
const ALWAYS: Readonly<Record<string, readonly StepKey[]>> = {
  calibrator: ['needs', 'failures', 'order'],
};
/** Steps that a step depends on. */
const WITH: Readonly<Partial<Record<StepKey, readonly StepKey[]>>> = { analysis: ['data'] };
/** A job about couplings is, for a researcher, about how their values changed. */
const ABOUT_COUPLINGS: Readonly<Record<string, readonly StepKey[]>> = {
  researcher: ['changes', 'causes', 'next'],
};

/** What to plan. */
export type Agenda = {
  readonly steps: readonly Step[];
  /** Steps for which the expert has no tools. */
  readonly left: readonly StepKey[];
};

/** The parts of a job, in the order of the report. */
export function agendaOf(expertId: string, tools: ReadonlySet<string>, request: JobRequest): Agenda {
  const usual = USUAL[expertId] ?? OF_UNKNOWN_EXPERTS;
  const narrowed = [
    ...(ALWAYS[expertId] ?? []),
    ...request.only,
    ...(request.only.includes('couplings') ? (ABOUT_COUPLINGS[expertId] ?? []) : []),
  ];
  const keys = [...(request.only.length > 0 ? narrowed : usual), ...request.added];
  const whole = keys.flatMap((key) => [...(WITH[key] ?? []), key]);
  const steps = [...new Set(whole)]
    .filter((key) => !request.leftOut.includes(key))
    .map((key) => STEPS[key])
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const can = (step: Step): boolean => step.needs.every((name) => tools.has(name));
  return {
    steps: steps.filter(can),
    left: steps.filter((step) => !can(step)).map(({ key }) => key),
  };
}

const BY_TODO: ReadonlyMap<string, Step> = new Map(
  Object.values(STEPS).flatMap((step) =>
    Object.values(JOB_WORDS).map(({ t }) => [t(`todo.${step.key}`), step] as const),
  ),
);

/** The step of a to-do, by its words in any language; null for any other to-do. */
export const stepOf = (todo: string): Step | null => BY_TODO.get(todo) ?? null;
