import { parseArgs } from 'node:util';
import type { Effort } from '../gql/graphql.ts';
import { AskError } from './http.ts';

/** What to ask, and of whom. */
export type AskOptions = {
  readonly question: string;
  readonly chip: string | null;
  readonly session: string | null;
  readonly model: string | null;
  /** How hard the model thinks: LOW, MEDIUM or HIGH; null leaves it to the model. */
  readonly effort: Effort | null;
  /** Print what the model thinks. */
  readonly thinking: boolean;
  /** Has the answer that is being made read it, where there is one. */
  readonly steer: boolean;
  /** Print each event as a line of JSON instead of text. */
  readonly json: boolean;
  /** The project to ask in, as somebody named it; null for the one of last time. */
  readonly project: string | null;
  /** Address of the server, without a path. */
  readonly url: string;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** What `--help` prints is no error. */
export class HelpAsked extends Error {}

const USAGE = `Usage: npm run ask -- "question" [--chip ID] [--session ID] [--model NAME] [--effort LEVEL] [--thinking] [--steer] [--json] [--project ID] [--url URL]

  --chip     the chip that a new conversation is about
  --session  continues a conversation; its id is printed at the end of each answer
  --model    a model of the server
  --effort   how hard the model thinks: low, medium or high
  --thinking prints what the model thinks, too
  --steer    if the conversation is being answered, that answer reads it at its next step
  --json     prints each event as one line of JSON
  --project  the project to ask in, by its id or name, where you have several; it is remembered. Default QPILOT_PROJECT,
             else the one of last time
  --url      the server; default QPILOT_URL, else PORT (4000) of this machine`;

/** @throws AskError with the usage for invalid arguments. */
export function readOptions(args: readonly string[], env: Environment): AskOptions {
  const { positionals, values } = parse(args);
  if (values.help) throw new HelpAsked(USAGE);
  const question = positionals.join(' ').trim();
  if (question === '') throw new AskError(USAGE);
  return {
    question,
    chip: values.chip ?? null,
    session: values.session ?? null,
    model: values.model ?? null,
    effort: readEffort(values.effort),
    thinking: values.thinking ?? false,
    steer: values.steer ?? false,
    json: values.json ?? false,
    project: values.project ?? null,
    url: serverUrl(values.url, env),
  };
}

/**
 * The address of the server, without a path: as given, else `QPILOT_URL`, else the one that a server with the same `PORT`
 * has on this machine.
 * @throws AskError for what is no http address
 */
export function serverUrl(given: string | undefined, env: Environment): string {
  const url = given ?? env['QPILOT_URL'] ?? `http://127.0.0.1:${env['PORT'] || 4_000}`;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new AskError(`${JSON.stringify(url)} is not an http address`);
  return url.replace(/\/(graphql)?\/?$/, '');
}

const EFFORTS = ['LOW', 'MEDIUM', 'HIGH'] as const satisfies readonly Effort[];

function readEffort(given: string | undefined): Effort | null {
  if (given === undefined) return null;
  const effort = EFFORTS.find((each) => each === given.toUpperCase());
  if (effort === undefined) {
    throw new AskError(`--effort ${JSON.stringify(given)} is not low, medium or high\n\n${USAGE}`);
  }
  return effort;
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        chip: text,
        session: text,
        model: text,
        effort: text,
        url: text,
        project: text,
        thinking: flag,
        steer: flag,
        json: flag,
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new AskError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`, {
      cause: error,
    });
  }
}
