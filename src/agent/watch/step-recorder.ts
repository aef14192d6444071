import { isDeepStrictEqual } from 'node:util';
import type { RecordedTools, StepPurpose, StepRecord } from '../../domain/conversation/step-record.ts';
import { redactJson, redactSecrets } from '../../base/redaction/redact.ts';
import { type ModelCall, type ModelEvent, type ModelInput, ModelError } from '../model.ts';
import type { ModelWatch } from './model-watch.ts';
import { toolsHash, toRecordedInput } from './step-record.ts';

type StepRecorderDeps = {
  readonly save: (record: StepRecord, tools: RecordedTools) => Promise<void>;
  /** Called for a record that could not be saved; the turn continues. */
  readonly onFailure: (error: unknown) => void;
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
};

/** Largest record, in characters of JSON. */
const MAX_RECORD_LENGTH = 1_000_000;

/** Records the model calls of one turn. Records are saved in order, in the background. */
export function createStepRecorder({ save, onFailure, clock }: StepRecorderDeps) {
  let number = 0;
  /** Of each item, the record of the response that it came in. */
  const numbers = new Map<unknown, number>();
  let saving: Promise<void> = Promise.resolve();
  let tools: RecordedTools = { hash: '', schemas: [] };

  /** Observes calls of one purpose; input that they have in common is recorded once. */
  const watch = (purpose: StepPurpose): ModelWatch => {
    let sent: readonly ModelInput[] = [];
    return (model, request) => {
      const startedAt = clock();
      number += 1;
      const own = number;
      const inputFrom = sharedLength(sent, request.input);
      sent = request.input;
      if (tools.schemas !== request.tools) tools = { hash: toolsHash(request.tools), schemas: request.tools };
      const offered = tools;
      const asked = {
        number: own,
        purpose,
        model: model.name,
        provider: model.provider,
        instructions: request.instructions,
        inputFrom,
        input: toRecordedInput(request.input.slice(inputFrom), (item) => numbers.get(item) ?? null),
        toolsHash: offered.hash,
        toolChoice: request.toolChoice,
        answerSchema: request.answerSchema ?? null,
        sampling: request.sampling ?? null,
      };
      const response = createResponse();
      return {
        event(event) {
          response.add(event);
          if (event.type === 'finished') for (const item of event.items) numbers.set(item, own);
        },
        end(failure) {
          const durationMs = clock() - startedAt;
          const record = { ...asked, ...response.collected(), error: wordsOf(failure), durationMs };
          saving = saving.then(() => save(withinLimits(record), offered)).catch(onFailure);
        },
      };
    };
  };
  return {
    watch,
    /** Resolves when every record of the ended calls is saved or given up. */
    close: (): Promise<void> => saving,
  };
}

/** Collects a response from its events. */
function createResponse() {
  let text = '';
  let refusal = '';
  let end: Extract<ModelEvent, { type: 'finished' }> | null = null;
  const calls: ModelCall[] = [];
  return {
    add(event: ModelEvent): void {
      if (event.type === 'text') text += event.text;
      if (event.type === 'refusal') refusal += event.text;
      if (event.type === 'call') calls.push(event.call);
      if (event.type === 'finished') end = event;
    },
    collected: () => ({
      text,
      refusal,
      calls,
      items: [...(end?.items ?? [])],
      reason: end?.reason ?? null,
      usage: end?.usage ?? null,
    }),
  };
}

/** Redacts the record, and drops its input if it is too large. Items are kept as they are or not at all. */
function withinLimits(record: Omit<StepRecord, 'isCut'>): StepRecord {
  const redacted = redactJson({ ...record, isCut: false });
  const isWhole = isDeepStrictEqual(redacted.items, record.items);
  const kept = isWhole ? redacted : { ...redacted, items: [] };
  return JSON.stringify(kept).length <= MAX_RECORD_LENGTH
    ? kept
    : { ...kept, input: [], items: [], isCut: true };
}

/** Length of the common prefix of two inputs. */
function sharedLength(before: readonly ModelInput[], now: readonly ModelInput[]): number {
  const different = now.findIndex((entry, index) => entry !== before[index]);
  return different === -1 ? now.length : different;
}

/** The provider's error message; other failures are not described. */
function wordsOf(failure: unknown): string | null {
  if (failure === null) return null;
  return failure instanceof ModelError ? redactSecrets(failure.message) : 'the call was stopped';
}
