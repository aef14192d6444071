/**
 * The offline analyst's turn of a chat: plans tool calls from the words of a question and writes the answer from their
 * results. It sees what any model sees, a `ModelRequest`; it knows no services and no database. The answer states
 * that it comes from a program, and what was not understood.
 */
import { assessmentLine, type Assessment } from '../../domain/conversation/session.ts';
import { doubtsNumbers } from '../../domain/conversation/message-intent.ts';
import { readQuestion, type Exchange } from '../../domain/questions/read-question.ts';
import { readable } from '../../domain/questions/lexicon.ts';
import { readSlots } from '../../domain/questions/slots.ts';
import { LAST_REQUEST } from '../../agent/loop/loop-bounds.ts';
import type { ModelInput, ModelRequest } from '../../agent/model.ts';
import type { Reply } from '../shared/stream.ts';
import {
  answersTo,
  callsMade,
  keyOf,
  pendingCalls,
  type Answers,
  type MadeCall,
  type PlannedCall,
} from '../shared/tool-answers.ts';
import { assessmentOf } from './assess.ts';
import { draftText, jobRequestIn } from './job-draft.ts';
import { languageOf, WORDS } from './messages.ts';
import { CHIPS, chipsIn, readWithNames } from './names.ts';
import { callsFor } from './plan.ts';
import {
  partsAskedFor,
  readTaskResult,
  resultAssessment,
  resultText,
  type TaskResult,
} from './task-result.ts';
import { warnRequestIn, warnText } from './warn-request.ts';
import { unusedWords } from './uses.ts';
import { VERIFICATION, writeAnswer } from './write-answer.ts';

/** The next tool calls of a turn, or its answer. */
export function answerQuestion(request: ModelRequest, now: Date): Reply {
  const { instructions } = request;
  const { question, history, answers, preflight } = readConversation(request);
  const words = WORDS[languageOf(question, instructions)];
  const notice = words.t('notice');
  const result = readTaskResult(instructions);
  const parts = result === null ? [] : partsAskedFor(question);
  if (result !== null && parts.length > 0 && preflight.length === 0) {
    const text = `${resultText(result, parts, words)}\n\n${notice}`;
    return { calls: [], text: withAssessment(text, resultAssessment(result)) };
  }
  const rule = preflight.length === 0 ? warnRequestIn(question, instructions) : null;
  if (rule !== null) return { calls: [], text: `${warnText(rule, words)}\n\n${notice}` };
  const offered = new Set(request.tools.map(({ name }) => name));
  const canCall = request.toolChoice !== 'none';
  const open = (calls: readonly PlannedCall[]): readonly PlannedCall[] =>
    canCall ? pendingCalls(answers, calls).filter(({ name }) => offered.has(name)) : [];
  const draft = result === null && preflight.length === 0 ? jobRequestIn(question, chipsIn(answers)) : null;
  if (draft !== null && offered.has(draft.name)) {
    const [next] = open([CHIPS, draft]);
    if (next !== undefined) return { calls: [next], text: '' };
    return { calls: [], text: `${draftText(answers.get(keyOf(draft)), words)}\n\n${notice}` };
  }
  const isAnswered = preflight.some(({ call }) => call.name === VERIFICATION) || isBareDoubt(question);
  const context = { history, qid: selectionIn(instructions, result), now };
  const toRead = isAnswered ? '' : question;
  const { reading: read, calls: lookUps } = readWithNames(
    (names) => readQuestion(toRead, { ...context, names }),
    answers,
    open,
  );
  if (lookUps.length > 0) return { calls: lookUps, text: '' };
  const reading = { ...read, unread: [...read.unread, ...unusedWords(read.asks)] };
  const asks = reading.unread.length > 0 ? [] : reading.asks;
  const calls = open(asks.flatMap((ask) => callsFor(ask, answers)));
  if (calls.length > 0) return { calls, text: '' };
  const text = writeAnswer({ question, reading, answers, preflight, words, now });
  return { calls: [], text: withAssessment(text, assessmentOf(asks, answers)) };
}

const withAssessment = (text: string, assessment: Assessment | null): string =>
  assessment === null ? text : `${text}\n\n${assessmentLine(assessment)}`;

/** A doubt that names nothing: there is nothing to look up for it. */
function isBareDoubt(question: string): boolean {
  const { metrics, qids } = readSlots(readable(question).text);
  return metrics.length + qids.length === 0 && doubtsNumbers(question);
}

type Conversation = {
  readonly question: string;
  readonly history: readonly Exchange[];
  readonly answers: Answers;
  /** Calls that the server made before the question was answered. */
  readonly preflight: readonly MadeCall[];
};

/** The newest user message is the question; rounds and outputs after it belong to it, all before it is history. */
function readConversation({ input }: ModelRequest): Conversation {
  const at = input.findLastIndex((entry) => entry.type === 'user' && !entry.text.startsWith(LAST_REQUEST));
  const asked = input[at];
  const calls = callsMade(input.slice(at + 1));
  return {
    question: asked?.type === 'user' ? asked.text : '',
    history: exchangesIn(input.slice(0, Math.max(0, at))),
    answers: answersTo(calls.filter(({ isServers }) => !isServers)),
    preflight: calls.filter(({ isServers }) => isServers),
  };
}

function exchangesIn(input: readonly ModelInput[]): readonly Exchange[] {
  return input.flatMap((entry, index) => {
    if (entry.type !== 'user') return [];
    const next = input[index + 1];
    return [{ question: entry.text, answer: next?.type === 'assistant' ? next.text : '' }];
  });
}

/** The qubit that the prompt selects, or the one of the task result. */
function selectionIn(instructions: string, result: TaskResult | null): string | null {
  const selected = /^Selected qubit: .*\(qid (\d+)\)/mu.exec(instructions)?.[1];
  return selected ?? result?.qid ?? null;
}
