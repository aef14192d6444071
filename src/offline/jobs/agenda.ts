/**
 * The to-dos that the offline analyst plans: those of the expert, narrowed or widened by the request; for an unknown
 * expert whatever its tools allow.
 */
import { firstCalls } from '../analyst/plan.ts';
import type { Answers } from '../shared/tool-answers.ts';
import plans from './agenda.json' with { type: 'json' };
import { causes, changes } from './changes.ts';
import { questionsOf, type Job, type Topic } from './job.ts';
import { order, recommendations } from './measurements.ts';
import { expertKey, JOB_WORDS, type StepKey } from './messages.ts';
import type { AgendaStep, Step } from './section.ts';
import { analysis } from './statistics.ts';

/** The questions that the request itself asks. */
const asked: Step = {
  asks: ({ request, chipId }) => request.asks.map((ask) => ({ ...ask, chipId: ask.chipId ?? chipId })),
};

/** Steps that are more than the answers to the questions of their topics. */
const OWN: Readonly<Partial<Record<StepKey, Step>>> = {
  asked,
  changes,
  causes,
  analysis,
  order,
  recommendations,
};

type Planned = AgendaStep & { readonly needs: readonly string[] };

/** All steps in the order of a report. */
const AGENDA: readonly Planned[] = Object.entries(plans.steps).map(([name, plan]) => {
  const { id, topics, needs }: { id: string; topics: object[]; needs: string[] } = { needs: [], ...plan };
  const key = name as StepKey;
  const asks: Step['asks'] = (job, answers) =>
    (topics as readonly Topic[]).flatMap((topic) => questionsOf(topic, job, answers));
  return { ...(OWN[key] ?? { asks }), key, id, needs };
});

/** Steps by expert, or by the step that they go with. */
type Plans = Readonly<Partial<Record<string, readonly string[]>>>;
const USUAL: Plans & { readonly other: readonly string[] } = plans.usual;
/** Planned whatever the job is narrowed to: the expert's purpose. */
const ALWAYS: Plans = plans.always;
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

const NO_ANSWERS: Answers = new Map();

/** The parts of a job, in the order of the report. */
export function agendaOf(expertId: string, tools: ReadonlySet<string>, job: Job): Agenda {
  const { steps: chosen, windowHours, period } = job.request;
  const { only, more, less } = chosen;
  const narrowed = [
    ...(ALWAYS[expertId] ?? []),
    ...only,
    ...(only.includes('couplings') ? (ABOUT_COUPLINGS[expertId] ?? []) : []),
  ];
  const usual = USUAL[expertKey(expertId)] ?? USUAL.other;
  const wanted = [...(only.length > 0 ? narrowed : usual), ...more];
  const isDated = windowHours !== null || period !== null;
  const keys = new Set(
    isDated && !wanted.some((key) => OVER_TIME.has(key)) ? [...wanted, 'changes'] : wanted,
  );
  const steps = AGENDA.filter(
    (step) =>
      keys.has(step.key) &&
      !less.includes(step.key) &&
      (OWN[step.key] !== undefined || step.asks(job, NO_ANSWERS).length > 0),
  );
  const can = (step: Planned): boolean =>
    step.needs.every((name) => tools.has(name)) &&
    step.asks(job, NO_ANSWERS).every((ask) => firstCalls(ask).every(({ name }) => tools.has(name)));
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
