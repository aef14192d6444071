import { z } from 'zod';
import type { SandboxLimits } from './limits.ts';
import type { JsonObject, PlotlySpec } from './python-result.ts';

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const jsonObject = z.custom<JsonObject>(isObject);
const plotlySpec = z.custom<PlotlySpec>(
  (value) => isObject(value) && Array.isArray((value as JsonObject)['data']),
);
const id = z.int().nonnegative();

/** `workerData` of the supervisor. */
export const supervisorOptionsSchema = z.object({
  cacheDir: z.string(),
  allowWithoutNamespaces: z.boolean(),
  namespaces: z.enum(['auto', 'off']),
  engine: z.enum(['auto', 'native', 'pyodide']),
  python: z.string().nullable(),
  wheelsDir: z.string().nullable(),
  limits: z.custom<SandboxLimits>(isObject),
});

/** See {@link supervisorOptionsSchema}. */
export type SupervisorOptions = z.infer<typeof supervisorOptionsSchema>;

/** Requests to the supervisor. Each but `abort` is answered once under its id. */
export const requestSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('run'), id, user: z.string(), code: z.string(), dataJson: z.string() }),
  z.object({ type: z.literal('abort'), id }),
  z.object({ type: z.literal('availability'), id }),
  z.object({ type: z.literal('selfTests'), id }),
  z.object({ type: z.literal('load'), id }),
  z.object({ type: z.literal('close'), id }),
]);

/** See {@link requestSchema}. */
export type SupervisorRequest = z.infer<typeof requestSchema>;

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

/** A request that gets an answer, before the client assigns its id. */
export type SupervisorCall = WithoutId<Exclude<SupervisorRequest, { type: 'abort' }>>;

/** Messages from the supervisor: the answer to a request, output of a run in flight, or a line for the log. */
export const responseSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('answer'), id, value: z.unknown() }),
  z.object({ type: z.literal('failed'), id, message: z.string() }),
  z.object({ type: z.literal('printed'), id, text: z.string() }),
  z.object({ type: z.literal('log'), level: z.enum(['info', 'warn']), message: z.string() }),
]);

/** See {@link responseSchema}. */
export type SupervisorResponse = z.infer<typeof responseSchema>;

/** Values of answers to `run`. */
export const resultSchema = z.object({
  output: z.string().nullable(),
  charts: z.array(plotlySpec),
  refused: z.array(z.string()),
  tables: z.record(z.string(), z.array(jsonObject)),
  error: z.string().nullable(),
  durationMs: z.number(),
});

const engineName = z.enum(['native', 'pyodide']);

/** Values of answers to `availability`. */
export const availabilitySchema = z.discriminatedUnion('available', [
  z.object({ available: z.literal(true), engine: engineName, modules: z.array(z.string()) }),
  z.object({ available: z.literal(false), reason: z.string() }),
]);

/** Values of answers to `selfTests`. */
export const selfTestsSchema = z.array(
  z.object({
    engine: engineName,
    ok: z.boolean(),
    missing: z.string().nullable(),
    namespaces: z.boolean(),
    remarks: z.array(z.string()),
    walls: z.array(
      z.object({ name: z.string(), ok: z.boolean(), required: z.boolean(), detail: z.string() }),
    ),
  }),
);

/** Values of answers to `load`. */
export const loadSchema = z.object({
  warm: z.int(),
  busy: z.int(),
  waiting: z.int(),
  /** Since the start, for want of a process. */
  refused: z.int(),
});

/** How much the sandbox has to do. */
export type SandboxLoad = z.infer<typeof loadSchema>;
