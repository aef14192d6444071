/**
 * What a phase goes on from whose worker was lost: the rounds of the lost turn that came to their end, as the records of
 * its model calls and its tool calls tell them. A round counts once every one of its calls has an ending; the one that was under way
 * is asked for again. Pure.
 */
import { SERVER } from '../loop/preflight-calls.ts';
import { errorText } from '../loop/tool-text.ts';
import type { ModelCall, ModelInput } from '../model.ts';
import type { ToolCall } from '../../domain/conversation/session.ts';
import type { StepRecord } from '../../domain/conversation/step-record.ts';

/** Longest result that is told again; a round with a longer one is asked for again. */
const MAX_OUTPUT_CHARACTERS = 30_000;

/** The finished rounds of a lost turn with their outputs, to stand behind the question; none where nothing was recorded. */
export function resumedInput(
  records: readonly StepRecord[],
  toolCalls: readonly ToolCall[],
): readonly ModelInput[] {
  if (records.some(({ isCut }) => isCut)) return [];
  const sent = records.reduce<readonly ModelInput[]>(
    (before, { inputFrom, input }) => [...before.slice(0, inputFrom), ...input],
    [],
  );
  const rounds = sent.filter(({ type }) => type === 'round' || type === 'tool-output');
  return [...rounds, ...lastRound(records.at(-1), toolCalls)];
}

/** The round that the last recorded call asked for, where all of it was done. */
function lastRound(record: StepRecord | undefined, toolCalls: readonly ToolCall[]): readonly ModelInput[] {
  if (record === undefined || record.calls.length === 0) return [];
  const outputs = record.calls.map((call) => outputOf(call, toolCalls));
  if (!outputs.every((output) => output !== null)) return [];
  // What the provider put out word for word is not recorded: to it, too, this round is a foreign one.
  return [{ type: 'round', provider: SERVER, items: [], text: record.text, calls: record.calls }, ...outputs];
}

function outputOf({ callId }: ModelCall, toolCalls: readonly ToolCall[]): ModelInput | null {
  // A turn whose provider numbers calls anew has several of one id, told apart by `#2`, `#3`…; the newest is meant.
  const call = toolCalls.findLast(({ callId: id }) => id === callId || id.startsWith(`${callId}#`));
  const output = call && textOf(call);
  return output == null || output.length > MAX_OUTPUT_CHARACTERS
    ? null
    : { type: 'tool-output', callId, output };
}

/** What the model was told of a call, or would have been; null for one without an ending. */
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
