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

/** Sends files to be previewed, or imported with what was guessed. */
export async function sendFiles(
  projectId: string,
  files: readonly File[],
  fields: ImportFields,
  step: 'preview' | 'yes',
): Promise<Sent> {
  const form = new FormData();
  for (const file of files) form.append('files', file, file.name);
  for (const [name, value] of Object.entries({ ...fields, [step]: true })) {
    if (value !== '' && value !== false) form.append(name, value === true ? '1' : String(value));
  }
  const headers = { 'graphql-require-preflight': '1' };
  const response = await fetch(pathOf(projectId), { method: 'POST', headers, body: form }).catch(() => null);
  const text = (await response?.text().catch(() => '')) ?? '';
  const body = parse(text);
  const done = report.safeParse(body).data;
  if (done !== undefined) return { report: done };
  return { error: refused.safeParse(body).data?.errors[0]?.message ?? text.trim() };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
