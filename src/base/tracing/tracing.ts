/**
 * The tracing interface that instrumented code uses. Without a collector no tracing library is loaded, and a span is a
 * plain call.
 */
/** Attributes of a span; no text of users or models, unless a setting allows it. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | string[] | undefined>>;

/** Options of a span. */
export type SpanOptions = {
  /** `server`: an incoming request; `client`: a call to another system; absent: internal. */
  readonly kind?: 'server' | 'client';
  readonly attributes?: SpanAttributes;
  /** W3C `traceparent` of the parent; null or malformed: a new trace; absent: the current span. */
  readonly parent?: string | null;
  /** Offset of its start into the past. */
  readonly startedMsAgo?: number;
};

/** A timed operation. */
export type Span = {
  set(attributes: SpanAttributes): void;
  /** Marks it as failed; the message is redacted. */
  fail(message: string): void;
  /** To be called once, by the code that began the span. */
  end(): void;
};

/** Records spans. */
export type Tracing = {
  readonly isOn: boolean;
  /** Attributes may contain text of users and models. */
  readonly withContent: boolean;
  /** Runs `work` in a span that is the parent of spans within it; fails with it. */
  span<Result>(name: string, options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result>;
  /** Begins a childless span that the caller ends; null outside any span. */
  begin(name: string, options: SpanOptions): Span | null;
  /** W3C `traceparent` of the current span, for work continued elsewhere; null outside any span. */
  traceparent(): string | null;
  /** Flushes pending spans. */
  close(): Promise<void>;
};

const NO_SPAN: Span = { set: () => undefined, fail: () => undefined, end: () => undefined };

/** Records nothing. */
export const noTracing: Tracing = {
  isOn: false,
  withContent: false,
  span: (_name, _options, work) => work(NO_SPAN),
  begin: () => null,
  traceparent: () => null,
  close: () => Promise.resolve(),
};

/** Settings of the exporter. */
export type TracingSettings = {
  /** Address of an OTLP collector over HTTP, without the path `/v1/traces`. */
  readonly endpoint: string;
  readonly withContent: boolean;
};
