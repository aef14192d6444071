import type { StepPurpose } from '../../domain/conversation/step-record.ts';
import { redactJson, redactSecrets } from '../../base/redaction/redact.ts';
import type { Tracing } from '../../base/tracing/tracing.ts';
import type { ModelWatch } from './model-watch.ts';

/** Longest content in an attribute, where content is traced at all. */
const MAX_CONTENT_LENGTH = 32_000;

/** A span for each model call, by OpenTelemetry's conventions for generative AI. */
export const tracedModelCalls =
  (tracing: Tracing, sessionId: string, purpose: StepPurpose): ModelWatch =>
  (model, request) => {
    const span = tracing.begin(`chat ${model.name}`, {
      kind: 'client',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.system': model.provider,
        'gen_ai.provider.name': model.provider,
        'gen_ai.request.model': model.name,
        'gen_ai.conversation.id': sessionId,
        'qpilot.purpose': purpose,
        'gen_ai.input.messages': tracing.withContent ? content(request.input) : undefined,
      },
    });
    let text = '';
    let calls = 0;
    return {
      event(event) {
        if (event.type === 'text' && tracing.withContent) text += event.text;
        if (event.type === 'call') calls += 1;
        if (event.type !== 'finished') return;
        span?.set({
          'gen_ai.response.finish_reasons': [event.reason],
          'gen_ai.usage.input_tokens': event.usage?.inputTokens,
          'gen_ai.usage.output_tokens': event.usage?.outputTokens,
          'gen_ai.usage.cache_read.input_tokens': event.usage?.cachedTokens,
          'qpilot.tool_calls': calls,
          'gen_ai.output.messages': tracing.withContent
            ? redactSecrets(text).slice(0, MAX_CONTENT_LENGTH)
            : undefined,
        });
      },
      end(failure) {
        if (failure !== null) span?.fail(failure instanceof Error ? failure.message : 'stopped');
        span?.end();
      },
    };
  };

const content = (value: unknown): string => JSON.stringify(redactJson(value)).slice(0, MAX_CONTENT_LENGTH);
