/** Between what a model is asked and what is kept of it. */
import { createHash } from 'node:crypto';
import type { StepRecord } from '../../domain/conversation/step-record.ts';
import type { ModelInput, ModelRequest, ToolSchema } from '../model.ts';

/** Tells sets of tools apart. */
export const toolsHash = (schemas: readonly ToolSchema[]): string =>
  createHash('sha256').update(JSON.stringify(schemas)).digest('hex').slice(0, 16);

/** Input as it is kept: pictures are not. */
export const toRecordedInput = (entries: readonly ModelInput[]): StepRecord['input'] =>
  entries.map((entry) => {
    switch (entry.type) {
      case 'user': {
        const { type, text, images } = entry;
        return {
          type,
          text: images?.length ? `${text}\n[pictures that were not kept: ${images.length}]` : text,
        };
      }
      case 'round':
        return { ...entry, items: [...entry.items], calls: [...entry.calls] };
      case 'assistant':
      case 'tool-output':
        return entry;
      default:
        return entry satisfies never;
    }
  });

/**
 * The first request of a turn, as it can be asked again; `sessionId` is that of the asker.
 * @returns null where it was not kept whole
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
