/**
 * Who answers turns, for every process with a runner: a runner also starts turns that wait for a process that is gone, so a
 * worker answers what a server does, with the same tools.
 */
import { proposeJob } from '../agent/tools/propose-job.ts';
import { createAnswerTurn } from '../agent/turn/answer-turn.ts';
import type { AnswerTurn } from '../agent/turn-run.ts';
import type { SessionKind } from '../domain/conversation/session.ts';
import type { BuilderModels } from '../agent/builder/builder-models.ts';
import type { ExpertsService } from '../services/experts/experts.ts';
import { createJobDrafts, type JobDrafts } from '../services/jobs/job-drafts.ts';
import type { Answering } from './answering.ts';
import { createBuilderParts } from './builder-parts.ts';
import { createPhaseAnswers, type JobPartsDeps } from './job-parts.ts';

/** What answers turns, and the parts of it that the schema needs, too. */
export type TurnAnswers = {
  readonly answerTurn: AnswerTurn;
  readonly builderModels: BuilderModels;
  readonly jobDrafts: JobDrafts;
};

/** Makes what answers the turns of conversations, of the builder and of jobs. */
export function createTurnAnswers(
  parts: JobPartsDeps & { readonly answering: Answering; readonly experts: ExpertsService },
): TurnAnswers {
  const { answering, experts, database } = parts;
  const builder = createBuilderParts(parts);
  const jobDrafts = createJobDrafts({ db: database.db, experts });
  const { deps } = answering;
  const byKind: Readonly<Record<SessionKind, AnswerTurn>> = {
    COPILOT: createAnswerTurn({ ...deps, tools: deps.tools.with(proposeJob(jobDrafts)) }),
    BUILDER: builder.answerTurn,
    JOB: createPhaseAnswers(parts, answering),
  };
  return {
    answerTurn: (run) => byKind[run.session.kind](run),
    builderModels: builder.models,
    jobDrafts,
  };
}
