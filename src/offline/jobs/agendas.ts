/** Which to-dos the offline analyst plans: those of the expert, narrowed or widened by what the job asks; of an expert that it does not know, by its tools. */
import { next, recommendations } from './advice-steps.ts';
import type { Brief } from './brief.ts';
import { failures, needs, order } from './calibration-steps.ts';
import { analysis, dataset } from './coding-steps.ts';
import { causes } from './cause-step.ts';
import { incidents, period } from './record-steps.ts';
import { changes, strangers } from './research-steps.ts';
import type { StepKey } from './step-key.ts';
import type { Step } from './step.ts';
import { couplings, extremes, state } from './writing-steps.ts';
import { JOB_WORDS } from './words/words.ts';

const STEPS: Readonly<Record<StepKey, Step>> = {
  state,
  changes,
  causes,
  extremes,
  couplings,
  period,
  outliers: strangers,
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
const OF_ANYBODY: readonly StepKey[] = ['state', 'changes', 'outliers', 'incidents', 'analysis'];

/** What an expert is asked for whatever the job is narrowed to: it is what the expert is there for. */
const ALWAYS: Readonly<Record<string, readonly StepKey[]>> = {
  calibrator: ['needs', 'failures', 'order'],
};
/** A part that rests on others brings them along. */
const WITH: Readonly<Partial<Record<StepKey, readonly StepKey[]>>> = { analysis: ['data'] };
/** A couplings' job of a researcher is about how their values changed. */
const ABOUT_COUPLINGS: Readonly<Record<string, readonly StepKey[]>> = {
  researcher: ['changes', 'causes', 'next'],
};

/** What to plan. */
export type Agenda = {
  readonly steps: readonly Step[];
  /** What cannot be done without other tools. */
  readonly left: readonly StepKey[];
};

/** The parts of a job, in the order of the report. */
export function agendaOf(expertId: string, tools: ReadonlySet<string>, brief: Brief): Agenda {
  const usual = USUAL[expertId] ?? OF_ANYBODY;
  const narrowed = [
    ...(ALWAYS[expertId] ?? []),
    ...brief.only,
    ...(brief.only.includes('couplings') ? (ABOUT_COUPLINGS[expertId] ?? []) : []),
  ];
  const keys = [...(brief.only.length > 0 ? narrowed : usual), ...brief.added];
  const whole = keys.flatMap((key) => [...(WITH[key] ?? []), key]);
  const steps = [...new Set(whole)]
    .filter((key) => !brief.leftOut.includes(key))
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
    Object.values(JOB_WORDS).map(({ steps }) => [steps[step.key].todo, step] as const),
  ),
);

/** The step that a to-do stands for, by its words in any language; null where it is none of these. */
export const stepOf = (todo: string): Step | null => BY_TODO.get(todo) ?? null;
