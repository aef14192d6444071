/**
 * Decides which tool calls the server makes before the model is asked: comparing disputed values, or reading live
 * ones.
 */
import { type AnswerValue, valuesOfCalls } from '../../domain/conversation/answer-values.ts';
import { doubtsNumbers } from '../../domain/conversation/message-intent.ts';
import type { Message } from '../../domain/conversation/session.ts';
import type { Loaders } from '../../services/loaders/loaders.ts';
import type { CalibrationServices } from '../../services/calibration/calibration-services.ts';
import type { EarlierTurn, SessionStore } from '../../stores/session-store.ts';
import type { TurnLive } from '../live/turn-live.ts';
import type { Preflight } from '../loop/preflight-calls.ts';
import type { TurnRun } from '../turn-run.ts';
import { disputePreflight } from './dispute-preflight.ts';
import { livePreflight } from './live-preflight.ts';

export type PreflightDeps = {
  readonly run: Pick<TurnRun, 'session' | 'turn' | 'question'>;
  /** Turns of the branch, oldest first. */
  readonly earlier: readonly EarlierTurn[];
  readonly store: Pick<SessionStore, 'message' | 'toolCalls'>;
  readonly services: CalibrationServices;
  readonly loaders: Loaders;
  /** The chip to use when the question names none. */
  readonly chipId: string | null;
  readonly live: Pick<TurnLive, 'isSetUp' | 'isAskedFor'>;
};

/** The preflight, and whether it answers a dispute, which the prompt mentions. */
export type PlannedPreflight = { readonly preflight: Preflight; readonly isDispute: boolean };

/** Earlier answers that are searched for values when a user doubts numbers without naming a message. */
const SEARCHED_ANSWERS = 5;

/** Null for most turns. */
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

/** The message that the turn disputes; if its question just expresses doubt, the newest answer with values. */
async function findDisputed({ run, earlier, store }: PreflightDeps): Promise<Disputed | null> {
  const { turn, session, question } = run;
  if (turn.disputedId !== null) {
    const answer = await store.message(session.id, turn.disputedId);
    return answer && { answer, values: await valuesOf(answer, store) };
  }
  if (!doubtsNumbers(question.text)) return null;
  for (const { answer } of earlier.toReversed().slice(0, SEARCHED_ANSWERS)) {
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
