import { writtenLanguage } from '../../domain/text/written-language.ts';
import type { ModelEvent, ModelRequest } from '../../agent/model.ts';
import { keyOf, readAnswer, type Answers } from '../analyst/answers.ts';
import { tellCalls, tellText } from '../analyst/tell.ts';
import type { JobMove } from './move.ts';
import { nextMove } from './offline-job.ts';
import { JOB_WORDS } from './words/words.ts';

/** The analyst's next move where a request is about a phase of a job; null for any other. */
export const jobMoveFor = (request: ModelRequest, now: Date): JobMove | null =>
  nextMove({
    instructions: request.instructions,
    tools: new Set(request.tools.map(({ name }) => name)),
    answers: answersIn(request),
    now,
  });

/** The move as a model's response. */
export async function* respondWithMove(
  { calls, text }: JobMove,
  request: ModelRequest,
  wordDelayMs: number,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const rounds = request.input.filter(({ type }) => type === 'round').length;
  if (calls.length > 0 && request.toolChoice !== 'none') yield* tellCalls(calls, rounds + 1);
  else yield* tellText(calls.length === 0 ? text : unfinished(request), wordDelayMs, signal);
}

/** In the language of the phase's own question, which is that of the job. */
const unfinished = ({ input }: ModelRequest): string => {
  const asked = input.find((entry) => entry.type === 'user');
  return JOB_WORDS[writtenLanguage(asked?.type === 'user' ? asked.text : '')].course.cutOff;
};

/** A phase begins anew, so every round of the request is of this phase, those before a lost worker included. */
function answersIn({ input }: ModelRequest): Answers {
  const outputs = new Map(
    input.flatMap((entry) => (entry.type === 'tool-output' ? [[entry.callId, entry.output] as const] : [])),
  );
  const calls = input.flatMap((entry) => (entry.type === 'round' ? entry.calls : []));
  return new Map(calls.map((call) => [keyOf(call), readAnswer(outputs.get(call.callId) ?? '')]));
}
