/** Converts between model requests and their records. */
import { createHash } from 'node:crypto';
import type { StepRecord } from '../../domain/conversation/step-record.ts';
import type { ModelInput, ModelRequest, ToolSchema } from '../model.ts';

/** Identifies a set of tools. */
export const toolsHash = (schemas: readonly ToolSchema[]): string =>
  createHash('sha256').update(JSON.stringify(schemas)).digest('hex').slice(0, 16);

/**
 * Input as it is recorded: without pictures, and without items, which are kept with the response that they came in.
 * `numberOf` gives the record of an item of this turn.
 */
export const toRecordedInput = (
  entries: readonly ModelInput[],
  numberOf: (item: unknown) => number | null,
): StepRecord['input'] =>
  entries.map((entry) => {
    switch (entry.type) {
      case 'user': {
        const { type, text, context, images } = entry;
        return {
          type,
          ...(context && { context: [...context] }),
          text: images?.length ? `${text}\n[pictures that were not kept: ${images.length}]` : text,
        };
      }
      case 'round': {
        const itemsOf = [...new Set(entry.items.map(numberOf))].filter((number) => number !== null);
        return { ...entry, items: [], calls: [...entry.calls], ...(itemsOf.length > 0 && { itemsOf }) };
      }
      case 'assistant':
      case 'tool-output':
        return entry;
      default:
        return entry satisfies never;
    }
  });

/**
 * The first request of a turn, to be made again by `sessionId`.
 * @returns null if it was not recorded completely
 */
export function firstRequest(
  records: readonly StepRecord[],
  tools: readonly ToolSchema[],
  sessionId: string,
): ModelRequest | null {
  const [first] = records;
  if (first === undefined || first.isCut) return null;
  const { instructions, toolChoice, answerSchema, sampling } = first;
  return {
    instructions,
    input: first.input,
    tools,
    toolChoice,
    ...(answerSchema && { answerSchema }),
    ...(sampling && { sampling }),
    sessionId,
  };
}
