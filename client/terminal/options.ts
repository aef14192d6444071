import { parseArgs } from 'node:util';
import { AskError } from './http.ts';

/** What to ask, and of whom. */
export type AskOptions = {
  readonly question: string;
  readonly chip: string | null;
  readonly session: string | null;
  readonly model: string | null;
  /** Print each event as a line of JSON instead of text. */
  readonly json: boolean;
  /** Address of the server, without a path. */
  readonly url: string;
};

const USAGE = `Usage: npm run ask -- "question" [--chip ID] [--session ID] [--model NAME] [--json] [--url URL]

  --chip     the chip that a new conversation is about
  --session  continues a conversation; its id is printed at the end of each answer
  --model    a model of the server
  --json     prints each event as one line of JSON
  --url      the server; default QPILOT_URL, else http://127.0.0.1:4000`;

/** @throws AskError with the usage for invalid arguments. */
export function readOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): AskOptions {
  const { positionals, values } = parse(args);
  const question = positionals.join(' ').trim();
  if (question === '') throw new AskError(USAGE);
  const url = values.url ?? env['QPILOT_URL'] ?? 'http://127.0.0.1:4000';
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new AskError(`${JSON.stringify(url)} is not an http address`);
  return {
    question,
    chip: values.chip ?? null,
    session: values.session ?? null,
    model: values.model ?? null,
    json: values.json ?? false,
    url: url.replace(/\/(graphql)?\/?$/, ''),
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { chip: text, session: text, model: text, url: text, json: { type: 'boolean' } },
    });
  } catch (error) {
    throw new AskError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`, {
      cause: error,
    });
  }
}
