import { createTextRedactor } from '../../base/redaction/text-redactor.ts';
import type { EmitActivity } from '../../domain/conversation/turn-activity.ts';
import type { ModelEvent } from '../model.ts';

type ThinkingEvent = Extract<ModelEvent, { type: 'thinking' }>;

const KINDS = { thought: 'THOUGHT', summary: 'SUMMARY' } as const;

/**
 * Tells what a model thinks during one response, redacted. A thought lasts from the request, or from the last thing that
 * the model said or did, to the next: providers show some of it late, and the reader waited all that time.
 */
export function openThinking(emit: EmitActivity, clock: () => number) {
  const redactor = createTextRedactor();
  let since = clock();
  let kind: ThinkingEvent['kind'] | null = null;

  const tell = (given: ThinkingEvent['kind'], text: string): void => {
    if (text !== '') emit({ type: 'thinking', kind: KINDS[given], text });
  };

  return {
    add(event: ThinkingEvent): void {
      const isApart = event.isNew === true || event.kind !== kind;
      if (kind !== null && isApart) tell(kind, `${redactor.end()}\n\n`);
      kind = event.kind;
      tell(kind, redactor.push(event.text));
    },
    /** The model says or does something else, or nothing more. */
    end(): void {
      const now = clock();
      if (kind !== null) {
        const text = redactor.end();
        emit({ type: 'thinking', kind: KINDS[kind], text, durationMs: Math.round(now - since) });
      }
      kind = null;
      since = now;
    },
  };
}
