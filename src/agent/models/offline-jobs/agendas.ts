/** Which to-dos the offline analyst plans for an expert; of one that it does not know, by the tools that the expert has. */
import { failures, needs, order } from './calibration-steps.ts';
import { analysis, dataset } from './coding-steps.ts';
import { causes, changes, incidents, strangers } from './research-steps.ts';
import type { Step } from './step.ts';
import { couplings, extremes, state, week } from './writing-steps.ts';

const AGENDAS: Readonly<Record<string, { readonly goal: string; readonly steps: readonly Step[] }>> = {
  researcher: {
    goal: 'Find what changed, and what stands behind it',
    steps: [changes, causes, strangers, incidents],
  },
  coder: { goal: 'Analyse the current values by a script that can be run again', steps: [dataset, analysis] },
  writer: {
    goal: 'Gather what a calibration report says',
    steps: [state, extremes, couplings, week, incidents],
  },
  calibrator: { goal: 'Find what to calibrate next, and in which order', steps: [needs, failures, order] },
};

const OF_ANYBODY = [state, changes, strangers, incidents, analysis];

/** Every step there is, by the words of its to-do. */
export const STEPS: ReadonlyMap<string, Step> = new Map(
  [...Object.values(AGENDAS).flatMap(({ steps }) => steps), ...OF_ANYBODY].map((step) => [step.todo, step]),
);

/** What to plan with these tools; `left` are the titles of what cannot be done without others. */
export function agendaOf(
  expertId: string,
  tools: ReadonlySet<string>,
): { readonly goal: string; readonly steps: readonly Step[]; readonly left: readonly string[] } {
  const { goal, steps } = AGENDAS[expertId] ?? {
    goal: 'Gather what the data says about the task',
    steps: OF_ANYBODY,
  };
  const can = (step: Step): boolean => step.needs.every((name) => tools.has(name));
  return {
    goal,
    steps: steps.filter(can),
    left: steps.filter((step) => !can(step)).map(({ title }) => title),
  };
}
