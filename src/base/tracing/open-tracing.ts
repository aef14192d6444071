import type { Logger } from '../log.ts';
import { noTracing, type Tracing, type TracingSettings } from './tracing.ts';

/** Traces to a collector, or none. The only place that loads what it takes. */
export async function openTracing(settings: TracingSettings | null, log: Logger): Promise<Tracing> {
  if (settings === null) return noTracing;
  const { startOtlpTracing } = await import('./otlp-tracing.ts');
  return startOtlpTracing(settings, log);
}
