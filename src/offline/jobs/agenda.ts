/**
 * The to-dos that the offline analyst plans: those of the expert, narrowed or widened by the request; for an unknown
 * expert whatever its tools allow.
 */
import { next, recommendations } from './advice-steps.ts';
import plans from './agenda.json' with { type: 'json' };
import type { JobRequest } from './job-request.ts';
import { failures, needs, order } from './calibration-steps.ts';
import { analysis, dataset } from './coding-steps.ts';
import { causes } from './cause-step.ts';
import { incidents, period } from './record-steps.ts';
import { changes, outlierSearch } from './research-steps.ts';
import { expertKey, JOB_WORDS, type StepKey } from './messages.ts';
import type { AgendaStep, Step } from './step.ts';
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

/** All steps in the order of a report. */
const AGENDA: readonly AgendaStep[] = Object.entries(plans.steps).map(([key, plan]) => ({
  ...STEPS[key as StepKey],
  ...plan,
  key: key as StepKey,
}));

/** Steps by expert, or by the step that they go with. */
type Plans = Readonly<Partial<Record<string, readonly string[]>>>;
const USUAL: Plans & { readonly other: readonly string[] } = plans.usual;
/** Planned whatever the job is narrowed to: the expert's purpose. */
const ALWAYS: Plans = plans.always;
/** Steps that a step depends on. */
const WITH: Plans = plans.with;
/** A time that a job names is about one of these. */
const OVER_TIME: ReadonlySet<string> = new Set(plans.overTime);
/** A job about couplings is, for a researcher, about how their values changed. */
const ABOUT_COUPLINGS: Plans = plans.aboutCouplings;

/** What to plan. */
export type Agenda = {
  readonly steps: readonly AgendaStep[];
  /** Steps for which the expert has no tools. */
  readonly left: readonly StepKey[];
};

/** The parts of a job, in the order of the report. */
export function agendaOf(expertId: string, tools: ReadonlySet<string>, request: JobRequest): Agenda {
  const narrowed = [
    ...(ALWAYS[expertId] ?? []),
    ...request.only,
    ...(request.only.includes('couplings') ? (ABOUT_COUPLINGS[expertId] ?? []) : []),
  ];
  const usual = USUAL[expertKey(expertId)] ?? USUAL.other;
  const asked = [...(request.only.length > 0 ? narrowed : usual), ...request.added];
  const isDated = request.windowHours !== null || request.period !== null;
  const keys = isDated && !asked.some((key) => OVER_TIME.has(key)) ? [...asked, 'changes'] : asked;
  const whole = new Set(keys.flatMap((key) => [...(WITH[key] ?? []), key]));
  const steps = AGENDA.filter(({ key }) => whole.has(key) && !request.leftOut.includes(key));
  const can = (step: AgendaStep): boolean => step.needs.every((name) => tools.has(name));
  return {
    steps: steps.filter(can),
    left: steps.filter((step) => !can(step)).map(({ key }) => key),
  };
}

const BY_TODO: ReadonlyMap<string, AgendaStep> = new Map(
  AGENDA.flatMap((step) => Object.values(JOB_WORDS).map(({ t }) => [t(`todo.${step.key}`), step] as const)),
);

/** The step of a to-do, by its words in any language; null for any other to-do. */
export const stepOf = (todo: string): AgendaStep | null => BY_TODO.get(todo) ?? null;
