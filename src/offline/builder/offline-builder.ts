/**
 * The deterministic model that builds where none is configured, or where it is chosen by name: carries out explicit
 * requests for changes of the artifacts. It goes through the same loop as any model and reports what it did not
 * understand.
 */
import { z } from 'zod';
import { artifactsIn } from '../../agent/builder/builder-prompt.ts';
import type { Model, ModelInput, ModelRequest } from '../../agent/model.ts';
import { CALLS_PER_ROUND, programModel, type Reply } from '../shared/stream.ts';
import { isFound, planned, readAnswer } from '../shared/tool-answers.ts';
import { answerText, type Outcome } from './answer-text.ts';
import { readRequests } from './read-requests.ts';
import { planSteps } from './requests.ts';

/** Name by which it is chosen. */
export const OFFLINE_BUILDER = 'offline-builder';

/** The builder as a model. */
export const createOfflineBuilder = ({ wordDelayMs = 2 }: { readonly wordDelayMs?: number } = {}): Model =>
  programModel(OFFLINE_BUILDER, wordDelayMs, replyTo);

function replyTo({ input, instructions, toolChoice }: ModelRequest): Reply {
  const message = messageIn(input);
  const outcomes = input.flatMap((entry) => (entry.type === 'tool-output' ? [outcomeOf(entry.output)] : []));
  const { requests, rest } = readRequests(message);
  const steps = planSteps(requests, artifactsIn(instructions));
  const calls = steps.flatMap((step) => (step.type === 'call' ? [step.call] : []));
  const next = calls.slice(outcomes.length, outcomes.length + CALLS_PER_ROUND);
  return next.length > 0 && toolChoice !== 'none'
    ? { calls: next.map(({ tool, args }) => planned(tool, args)), text: '' }
    : { calls: [], text: answerText(message, steps, rest, outcomes) };
}

/** The user's message comes before the first round of the turn; the loop may add messages of its own later. */
function messageIn(input: readonly ModelInput[]): string {
  const firstRound = input.findIndex(({ type }) => type === 'round');
  const before = firstRound < 0 ? input : input.slice(0, firstRound);
  return before.findLast((entry) => entry.type === 'user')?.text ?? '';
}

const edited = z.object({ outcome: z.string(), note: z.string().nullable() });

function outcomeOf(output: string): Outcome {
  const answer = readAnswer(output);
  if (!isFound(answer)) return { isDone: false, note: answer.error };
  const { outcome, note } = edited.parse(answer.data);
  const isDone = outcome.startsWith('APPLIED');
  return { isDone, note: isDone || note === null ? note : `${outcome}: ${note}` };
}
