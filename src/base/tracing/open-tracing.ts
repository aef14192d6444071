import type { Logger } from '../log.ts';
import { noTracing, type Tracing, type TracingSettings } from './tracing.ts';

/** Exports to a collector if one is configured; only then are the OpenTelemetry libraries loaded. */
export async function openTracing(settings: TracingSettings | null, log: Logger): Promise<Tracing> {
  if (settings === null) return noTracing;
  const { startOtlpTracing } = await import('./otlp-tracing.ts');
  return startOtlpTracing(settings, log);
}
