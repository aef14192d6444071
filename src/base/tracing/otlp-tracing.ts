import { AsyncLocalStorage } from 'node:async_hooks';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  isSpanContextValid,
  trace,
  type Context,
  type Span as OtelSpan,
  type SpanContext,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';
import type { Logger } from '../log.ts';
import { redactSecrets } from '../redaction/redact.ts';
import type { Span, SpanOptions, Tracing, TracingSettings } from './tracing.ts';

const SERVICE = 'qpilot';
/** Time limit for exporting a batch, retries included, so that shutdown never waits for an unreachable collector. */
const EXPORT_MS = 2_000;

/** Traces over OTLP, sent in batches. If the collector is unreachable, spans are lost and nothing else happens. */
export function startOtlpTracing({ endpoint, withContent }: TracingSettings, log: Logger): Tracing {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_MS });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ [ATTR_SERVICE_NAME]: SERVICE }),
    spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: EXPORT_MS })],
  });
  const tracer = provider.getTracer(SERVICE);
  const around = new AsyncLocalStorage<Context>();

  function open(name: string, options: SpanOptions): { readonly span: OtelSpan; readonly inside: Context } {
    const { kind, attributes = {}, parent, startedMsAgo = 0 } = options;
    const outside = parent === undefined ? (around.getStore() ?? ROOT_CONTEXT) : contextOf(parent);
    const span = tracer.startSpan(
      name,
      { kind: KINDS[kind ?? 'internal'], attributes, startTime: Date.now() - startedMsAgo },
      outside,
    );
    return { span, inside: trace.setSpan(outside, span) };
  }

  return {
    isOn: true,
    withContent,
    async span(name, options, work) {
      const { span, inside } = open(name, options);
      const wrapped = toSpan(span);
      try {
        return await around.run(inside, () => work(wrapped));
      } catch (error) {
        wrapped.fail(error instanceof Error ? error.message : String(error));
        throw error;
      } finally {
        wrapped.end();
      }
    },
    begin: (name, options) => (around.getStore() === undefined ? null : toSpan(open(name, options).span)),
    traceparent() {
      const context = around.getStore();
      const span = context && trace.getSpanContext(context);
      return span
        ? `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`
        : null;
    },
    async close() {
      await provider.shutdown().catch((error: unknown) => {
        log.warn({ err: error }, 'failed to send the last traces');
      });
    },
  };
}

const KINDS = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;

const toSpan = (span: OtelSpan): Span => ({
  set: (attributes) => void span.setAttributes(attributes),
  fail: (message) => void span.setStatus({ code: SpanStatusCode.ERROR, message: redactSecrets(message) }),
  end: () => span.end(),
});

const TRACEPARENT = /^[\da-f]{2}-(?<traceId>[\da-f]{32})-(?<spanId>[\da-f]{16})-(?<flags>[\da-f]{2})$/;

/** Context of a `traceparent`; a new trace if it is malformed. */
function contextOf(parent: string | null): Context {
  const { traceId = '', spanId = '', flags = '00' } = TRACEPARENT.exec(parent ?? '')?.groups ?? {};
  const remote: SpanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(remote) ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
}
