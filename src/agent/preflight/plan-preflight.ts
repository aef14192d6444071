/** Decides what the server does before a model's first word: compares what is doubted, or asks the live source. */
import type { AnswerValue } from '../../domain/conversation/answer-values.ts';
import { valuesOfCalls } from '../../domain/conversation/answer-values.ts';
import { doubtsNumbers } from '../../domain/conversation/doubt.ts';
import type { Message } from '../../domain/conversation/session.ts';
import type { Loaders } from '../../services/loaders/loaders.ts';
import type { CalibrationServices } from '../../services/calibration/calibration-services.ts';
import type { EarlierTurn, SessionStore } from '../../stores/session-store.ts';
import type { TurnLive } from '../live/turn-live.ts';
import type { Preflight } from '../loop/preflight-calls.ts';
import type { TurnRun } from '../turn-run.ts';
import { disputePreflight } from './dispute-preflight.ts';
import { livePreflight } from './live-preflight.ts';

/** What the decision is made from. */
export type PreflightDeps = {
  readonly run: Pick<TurnRun, 'session' | 'turn' | 'question'>;
  /** Of the branch, oldest first. */
  readonly earlier: readonly EarlierTurn[];
  readonly store: Pick<SessionStore, 'message' | 'toolCalls'>;
  readonly services: CalibrationServices;
  readonly loaders: Loaders;
  /** The chip that is meant when none is named. */
  readonly chipId: string | null;
  readonly live: Pick<TurnLive, 'isSetUp' | 'isAskedFor'>;
};

/** A preflight and whether it answers a doubt, which the prompt then says. */
export type PlannedPreflight = { readonly preflight: Preflight; readonly isDispute: boolean };

/** Earlier answers that are looked through for values when a user doubts numbers without naming a message. */
const ANSWERS_LOOKED_AT = 5;

/** The preflight of a turn, null for most. */
export async function planPreflight(deps: PreflightDeps): Promise<PlannedPreflight | null> {
  const { run, services, loaders, live } = deps;
  const disputed = await findDisputed(deps);
  if (disputed !== null) {
    const dispute = { doubt: run.question.text, answer: disputed.answer.text, values: disputed.values };
    const preflight = await disputePreflight(dispute, {
      metrics: services.metrics,
      loaders,
      chipId: deps.chipId,
      answeredAt: disputed.answer.createdAt,
    });
    return { preflight, isDispute: true };
  }
  if (!live.isSetUp || !live.isAskedFor) return null;
  const question = { text: run.question.text, chipId: deps.chipId, qid: run.session.qid };
  return {
    preflight: await livePreflight(question, { metrics: services.metrics, loaders }),
    isDispute: false,
  };
}

type Disputed = { readonly answer: Message; readonly values: readonly AnswerValue[] };

/** The message that the turn disputes; for a doubt in words the newest answer of the branch that has values. */
async function findDisputed({ run, earlier, store }: PreflightDeps): Promise<Disputed | null> {
  const { turn, session, question } = run;
  if (turn.disputedId !== null) {
    const answer = await store.message(session.id, turn.disputedId);
    return answer && { answer, values: await valuesOf(answer, store) };
  }
  if (!doubtsNumbers(question.text)) return null;
  for (const { answer } of earlier.toReversed().slice(0, ANSWERS_LOOKED_AT)) {
    if (answer === null) continue;
    const values = await valuesOf(answer, store);
    if (values.length > 0) return { answer, values };
  }
  return null;
}

async function valuesOf(
  { sessionId, turnId }: Message,
  store: PreflightDeps['store'],
): Promise<readonly AnswerValue[]> {
  return turnId === null ? [] : valuesOfCalls(await store.toolCalls(sessionId, turnId));
}
