/**
 * The port to traces: what took how long within what. The parts of the program that are looked at know only this; without
 * a collector nothing behind it is loaded, and a span is a plain call. It must know nothing of what it measures.
 */

/** What is told of a span beside its name and its time: never words of people or models, unless a setting says so. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | string[] | undefined>>;

/** How a span is opened. */
export type SpanOptions = {
  /** `server`: a request from outside; `client`: a call to another system; absent: work of our own. */
  readonly kind?: 'server' | 'client';
  readonly attributes?: SpanAttributes;
  /** A W3C `traceparent` to stand under, null or a broken one for a trace of its own; absent: the span around it. */
  readonly parent?: string | null;
  /** How long ago it began; absent: now. */
  readonly startedMsAgo?: number;
};

/** Something that takes time. */
export type Span = {
  set(attributes: SpanAttributes): void;
  /** Marks it as failed; the message loses its secrets. */
  fail(message: string): void;
  /** Whoever began it ends it, once. */
  end(): void;
};

/** Takes down what happens. */
export type Tracing = {
  readonly isOn: boolean;
  /** Whether words of people and models may stand in attributes. */
  readonly withContent: boolean;
  /** Runs `work` as a span; what it does in turn stands under it. The span fails with it. */
  span<Result>(name: string, options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result>;
  /** Begins a span that ends by another way; nothing stands under it. Null outside of every span. */
  begin(name: string, options: SpanOptions): Span | null;
  /** The span around as a W3C `traceparent`, for work that goes on elsewhere; null outside of every span. */
  traceparent(): string | null;
  /** Sends what is left. */
  close(): Promise<void>;
};

const NO_SPAN: Span = { set: () => undefined, fail: () => undefined, end: () => undefined };

/** Takes nothing down. */
export const noTracing: Tracing = {
  isOn: false,
  withContent: false,
  span: (_name, _options, work) => work(NO_SPAN),
  begin: () => null,
  traceparent: () => null,
  close: () => Promise.resolve(),
};

/** Where traces go. */
export type TracingSettings = {
  /** Address of an OTLP collector over HTTP, without the path `/v1/traces`. */
  readonly endpoint: string;
  readonly withContent: boolean;
};
