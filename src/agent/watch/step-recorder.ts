import type { RecordedTools, StepPurpose, StepRecord } from '../../domain/conversation/step-record.ts';
import { redactJson, redactSecrets } from '../../base/redaction/redact.ts';
import type { ModelCall, ModelEvent, ModelInput } from '../model.ts';
import { ModelError } from '../model.ts';
import type { ModelWatch } from './model-watch.ts';
import { toolsHash, toRecordedInput } from './step-record.ts';

/** What a recorder needs. */
export type StepRecorderDeps = {
  readonly save: (record: StepRecord, tools: RecordedTools) => Promise<void>;
  /** Told of a record that could not be saved; the turn goes on. */
  readonly onFailure: (error: unknown) => void;
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
};

/** Records the model calls of one turn. */
export type StepRecorder = {
  /** Watches calls of one purpose; what two of them have in common is kept once. */
  watch(purpose: StepPurpose): ModelWatch;
  /** Resolves when every record of the calls that ended is saved or given up. */
  close(): Promise<void>;
};

/** Largest record, in characters of JSON. */
const MAX_RECORD_LENGTH = 1_000_000;

/** A recorder of a turn that has asked no model yet. Records are saved in their order, behind the back of the turn. */
export function createStepRecorder({ save, onFailure, clock }: StepRecorderDeps): StepRecorder {
  let number = 0;
  let saving: Promise<void> = Promise.resolve();
  let tools: RecordedTools = { hash: '', schemas: [] };

  const watchFor = (purpose: StepPurpose): ModelWatch => {
    let sent: readonly ModelInput[] = [];
    return (model, request) => {
      const startedAt = clock();
      number += 1;
      const inputFrom = sharedLength(sent, request.input);
      sent = request.input;
      if (tools.schemas !== request.tools) tools = { hash: toolsHash(request.tools), schemas: request.tools };
      const offered = tools;
      const asked = {
        number,
        purpose,
        model: model.name,
        provider: model.provider,
        instructions: request.instructions,
        inputFrom,
        input: toRecordedInput(request.input.slice(inputFrom)),
        toolsHash: offered.hash,
        toolChoice: request.toolChoice,
        answerSchema: request.answerSchema ?? null,
        sampling: request.sampling ?? null,
      };
      const response = createResponse();
      return {
        event: (event) => response.add(event),
        end(failure) {
          const durationMs = clock() - startedAt;
          const record = { ...asked, ...response.taken(), error: wordsOf(failure), durationMs };
          saving = saving.then(() => save(toKept(record), offered)).catch(onFailure);
        },
      };
    };
  };
  return { watch: watchFor, close: () => saving };
}

/** A response, put together from its events. */
function createResponse() {
  let text = '';
  let refusal = '';
  let end: Extract<ModelEvent, { type: 'finished' }> | null = null;
  const calls: ModelCall[] = [];
  return {
    add(event: ModelEvent): void {
      switch (event.type) {
        case 'text':
          text += event.text;
          break;
        case 'refusal':
          refusal += event.text;
          break;
        case 'call':
          calls.push(event.call);
          break;
        case 'finished':
          end = event;
          break;
        default:
          event satisfies never;
      }
    },
    taken: () => ({ text, refusal, calls, reason: end?.reason ?? null, usage: end?.usage ?? null }),
  };
}

/** Without secrets, and without its input where that is too large. */
function toKept(record: Omit<StepRecord, 'isCut'>): StepRecord {
  const kept = redactJson({ ...record, isCut: false });
  return JSON.stringify(kept).length <= MAX_RECORD_LENGTH ? kept : { ...kept, input: [], isCut: true };
}

/** How many entries two inputs have in common from their beginning. */
function sharedLength(before: readonly ModelInput[], now: readonly ModelInput[]): number {
  const different = now.findIndex((entry, index) => entry !== before[index]);
  return different === -1 ? now.length : different;
}

/** A provider's own words of a failure; of anything else no more than that it was left. */
function wordsOf(failure: unknown): string | null {
  if (failure === null) return null;
  return failure instanceof ModelError ? redactSecrets(failure.message) : 'the call was stopped';
}
