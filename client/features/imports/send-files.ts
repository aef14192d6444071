/** Sends files to `POST /import/{project}`, as programs do. */
import { z } from 'zod';

/** Fields of the form beside the files; what is empty is not sent. */
export type ImportFields = {
  readonly chip: string;
  readonly create: boolean;
  readonly time: string;
  readonly timeZone: string;
  readonly parameter: string;
  readonly unit: string;
  readonly names: string;
  readonly skipBad: boolean;
};

const report = z.object({
  source: z.enum(['ibm', 'csv', 'qibolab', 'cirq']),
  chipIds: z.array(z.string()),
  added: z.number(),
  alreadyThere: z.number(),
  lines: z.array(z.string()),
  guesses: z.array(z.string()),
});
export type ImportReport = z.infer<typeof report>;

const progress = z.object({
  progress: z.object({
    step: z.enum(['waiting', 'reading', 'checking', 'writing']),
    done: z.number(),
    total: z.number().nullable(),
  }),
});
/** How far the server is with the rows of a table, or the values of other files. */
export type ImportProgress = z.infer<typeof progress>['progress'];

const refused = z.object({ errors: z.array(z.object({ message: z.string() })).min(1) });
const possible = z.object({ isPossible: z.boolean(), refusal: z.string().nullable(), maxBytes: z.number() });

/** What the server answered; `error` is empty where it did not. */
export type Sent = { readonly report: ImportReport } | { readonly error: string };

const pathOf = (projectId: string): string => `/import/${encodeURIComponent(projectId)}`;

/** Whether this server imports; null where nobody answers, and for those who may not import. */
export async function readPossible(projectId: string): Promise<z.infer<typeof possible> | null> {
  const response = await fetch(pathOf(projectId)).catch(() => null);
  const body: unknown = response?.ok ? await response.json().catch(() => null) : null;
  return possible.safeParse(body).data ?? null;
}

/** Sends files to be previewed, or imported with what was guessed. An abort ends it on the server as well. */
export async function sendFiles(
  projectId: string,
  files: readonly File[],
  fields: ImportFields,
  step: 'preview' | 'yes',
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: ImportProgress) => void },
): Promise<Sent> {
  const form = new FormData();
  for (const file of files) form.append('files', file, file.name);
  for (const [name, value] of Object.entries({ ...fields, [step]: true })) {
    if (value !== '' && value !== false) form.append(name, value === true ? '1' : String(value));
  }
  const headers = { 'graphql-require-preflight': '1', accept: 'application/x-ndjson' };
  const request = { method: 'POST', headers, body: form, signal };
  const response = await fetch(pathOf(projectId), request).catch(() => null);
  const text = await lastLine(response?.body ?? null, (line) => {
    const told = progress.safeParse(parse(line)).data;
    if (told !== undefined) onProgress(told.progress);
  }).catch(() => '');
  const body = parse(text);
  const done = report.safeParse(body).data;
  if (done !== undefined) return { report: done };
  return { error: refused.safeParse(body).data?.errors[0]?.message ?? text.trim() };
}

/** The last line of a body; `onLine` gets every line as it comes. */
async function lastLine(
  body: ReadableStream<Uint8Array> | null,
  onLine: (line: string) => void,
): Promise<string> {
  let [last, rest] = ['', ''];
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    const lines = (rest + decoder.decode(part.value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(onLine);
    last = lines.at(-1) ?? last;
  }
  return rest === '' ? last : rest;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
