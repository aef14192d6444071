/**
 * The input that a phase resumes with after its worker was lost: the finished rounds of the lost turn, rebuilt from the
 * records of its model and tool calls. A round is finished once all of its calls have ended; the one in progress is
 * asked for again. Pure.
 */
import { errorText } from '../loop/tool-text.ts';
import type { ModelCall, ModelInput } from '../model.ts';
import type { ToolCall } from '../../domain/conversation/session.ts';
import { sentInput, type StepRecord } from '../../domain/conversation/step-record.ts';

/** Longest result that is sent again; a round with a longer one is asked for again. */
const MAX_OUTPUT_CHARACTERS = 30_000;

/** The finished rounds of a lost turn with their outputs; empty if nothing was recorded. */
export function resumedInput(
  records: readonly StepRecord[],
  toolCalls: readonly ToolCall[],
): readonly ModelInput[] {
  if (records.some(({ isCut }) => isCut)) return [];
  const rounds = sentInput(records).filter(({ type }) => type === 'round' || type === 'tool-output');
  return [...rounds, ...lastRound(records.at(-1), toolCalls)];
}

/** The calls of the last recorded response, if all of them have ended. */
function lastRound(record: StepRecord | undefined, toolCalls: readonly ToolCall[]): readonly ModelInput[] {
  if (record === undefined || record.calls.length === 0) return [];
  const outputs = record.calls.map((call) => outputOf(call, toolCalls));
  if (!outputs.every((output) => output !== null)) return [];
  const { provider, items, text, calls } = record;
  return [{ type: 'round', provider, items, text, calls }, ...outputs];
}

function outputOf({ callId }: ModelCall, toolCalls: readonly ToolCall[]): ModelInput | null {
  // Recorded ids end with `#2`, `#3`… if the provider reused one, then with `@` and the turn; the newest call is meant.
  const call = toolCalls.findLast(
    ({ callId: id }) => id === callId || id.startsWith(`${callId}#`) || id.startsWith(`${callId}@`),
  );
  const output = call && textOf(call);
  return output == null || output.length > MAX_OUTPUT_CHARACTERS
    ? null
    : { type: 'tool-output', callId, output };
}

/** The output of a call as the model read it; null if it has not ended. */
function textOf({ status, resultJson, error }: ToolCall): string | null {
  switch (status) {
    case 'RUNNING':
    case 'CANCELLED':
      return null;
    case 'OK':
      return resultJson;
    case 'ERROR':
    case 'TIMEOUT':
    case 'SKIPPED':
      return errorText(error?.message ?? `the call ended as ${status}`);
    default:
      return status satisfies never;
  }
}
