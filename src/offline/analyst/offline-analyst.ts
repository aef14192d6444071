/**
 * A model without a model: plans tool calls from the words of a question and writes the answer from what the tools
 * answered. It sees what any model sees, a `ModelRequest`, and goes through the same loop; it knows no services and no
 * database. It says what it is, and says so when it does not understand.
 */
import { assessmentLine, type Assessment } from '../../domain/conversation/assessment.ts';
import { doubtsNumbers } from '../../domain/conversation/doubt.ts';
import { SERVER } from '../../agent/loop/preflight-calls.ts';
import type { Model, ModelCall, ModelEvent, ModelInput, ModelRequest } from '../../agent/model.ts';
import { jobMoveFor, respondWithMove } from '../jobs/respond.ts';
import { keyOf, readAnswer, type Answers, type PlannedCall } from './answers.ts';
import type { Ask } from './ask.ts';
import { assessmentOf } from './assess.ts';
import { draftText, jobRequestIn } from './job-request.ts';
import { VERIFICATION, type Opened } from './opened.ts';
import { firstCalls, secondCall } from './plan.ts';
import { readSlots } from '../../domain/questions/slots.ts';
import { partsAskedFor, resultAssessment, resultText, toldResult } from './task-result.ts';
import type { ToldResult } from './told.ts';
import { tellCalls, tellText } from './tell.ts';
import { understand, type Exchange, type Selection } from './understand.ts';
import { languageOf, WORDS } from './words.ts';
import { writeAnswer } from './write.ts';

/** Name by which the analyst is chosen. */
export const OFFLINE_ANALYST = 'offline-analyst';

/** What the analyst needs. */
export type OfflineAnalystOptions = {
  readonly now: () => Date;
  /** Pause between words, so that an answer can be watched and stopped; a few milliseconds at most. */
  readonly wordDelayMs?: number;
};

/** The deterministic model that answers where none is configured, or where it is chosen by name. */
export function createOfflineAnalyst({ now, wordDelayMs = 2 }: OfflineAnalystOptions): Model {
  return {
    name: OFFLINE_ANALYST,
    provider: 'offline',
    isProgram: true,
    stream: (request, signal) => respond(request, { now, wordDelayMs }, signal),
  };
}

async function* respond(
  request: ModelRequest,
  { now, wordDelayMs }: Required<OfflineAnalystOptions>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  signal.throwIfAborted();
  const move = jobMoveFor(request, now());
  if (move !== null) {
    yield* respondWithMove(move, request, wordDelayMs, signal);
    return;
  }
  const { question, history, answers, opened, rounds } = readConversation(request);
  const words = WORDS[languageOf(question, request.instructions)];
  const told = toldResult(request.instructions);
  const parts = told === null ? [] : partsAskedFor(question);
  if (told !== null && parts.length > 0 && opened.length === 0) {
    const text = [resultText(told, parts, words), words.notice([])].join('\n\n');
    yield* tellText(assessed(text, resultAssessment(told)), wordDelayMs, signal);
    return;
  }
  const draft = told === null && opened.length === 0 ? jobRequestIn(question) : null;
  if (draft !== null && request.tools.some(({ name }) => name === draft.name)) {
    const answer = answers.get(keyOf(draft));
    if (answer === undefined && request.toolChoice !== 'none') yield* tellCalls([draft], rounds + 1);
    else yield* tellText(`${draftText(answer, words)}\n\n${words.notice([])}`, wordDelayMs, signal);
    return;
  }
  const isAnswered = opened.some(({ call }) => call.name === VERIFICATION) || isBareDoubt(question);
  const asks = isAnswered
    ? []
    : understand(question, history, selectionIn(request.instructions, told), now());
  const calls = request.toolChoice === 'none' ? [] : pendingCalls(asks, answers, request);
  if (calls.length > 0) {
    yield* tellCalls(calls, rounds + 1);
    return;
  }
  const written = writeAnswer({ question, asks, answers, opened, words, now: now() });
  yield* tellText(assessed(written, assessmentOf(asks, answers)), wordDelayMs, signal);
}

const assessed = (text: string, assessment: Assessment | null): string =>
  assessment === null ? text : `${text}\n\n${assessmentLine(assessment)}`;

/** A doubt that names nothing: there is nothing to look up for it. */
function isBareDoubt(question: string): boolean {
  const { metrics, qids } = readSlots(question);
  return metrics.length + qids.length === 0 && doubtsNumbers(question);
}

type Conversation = {
  readonly question: string;
  readonly history: readonly Exchange[];
  readonly answers: Answers;
  /** What the server looked up of its own accord. */
  readonly opened: readonly Opened[];
  readonly rounds: number;
};

/** The newest user message is the question; rounds and outputs after it belong to it, everything before is history. */
function readConversation({ input }: ModelRequest): Conversation {
  const at = input.findLastIndex(({ type }) => type === 'user');
  const asked = input[at];
  const since = input.slice(at + 1);
  const rounds = since.filter((entry) => entry.type === 'round');
  const own = rounds.filter(({ provider }) => provider !== SERVER).flatMap(({ calls }) => calls);
  const others = rounds.filter(({ provider }) => provider === SERVER).flatMap(({ calls }) => calls);
  const outputs = new Map(
    since.flatMap((entry) => (entry.type === 'tool-output' ? [[entry.callId, entry.output] as const] : [])),
  );
  const answerTo = ({ callId }: ModelCall) => readAnswer(outputs.get(callId) ?? '');
  return {
    question: asked?.type === 'user' ? asked.text : '',
    history: exchangesIn(input.slice(0, Math.max(0, at))),
    answers: new Map(own.map((call) => [keyOf(call), answerTo(call)])),
    opened: others.map((call) => ({ call, answer: answerTo(call) })),
    rounds: rounds.length,
  };
}

function exchangesIn(input: readonly ModelInput[]): readonly Exchange[] {
  return input.flatMap((entry, index) => {
    if (entry.type !== 'user') return [];
    const next = input[index + 1];
    return [{ question: entry.text, answer: next?.type === 'assistant' ? next.text : '' }];
  });
}

/** The prompt names the qubit that the conversation is about, or the task result does. */
function selectionIn(instructions: string, told: ToldResult | null): Selection {
  const selected = /^Selected qubit: .*\(qid (\d+)\)/mu.exec(instructions)?.[1];
  return { qid: selected ?? told?.qid ?? null };
}

/** Calls that are planned, offered, and not answered yet; each once. */
function pendingCalls(
  asks: readonly Ask[],
  answers: Answers,
  { tools }: ModelRequest,
): readonly PlannedCall[] {
  const offered = new Set(tools.map(({ name }) => name));
  const planned = asks.flatMap((ask) => {
    const second = secondCall(ask, answers);
    return second === null ? firstCalls(ask) : [...firstCalls(ask), second];
  });
  const pending = planned.filter((call) => offered.has(call.name) && !answers.has(keyOf(call)));
  return [...new Map(pending.map((call) => [keyOf(call), call])).values()];
}
