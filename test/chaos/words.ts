/**
 * Words known beforehand: a question names the words of its answer, and a model server on loopback streams exactly
 * these, so that a lost, doubled or foreign word is seen.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { refusalOf } from '../support/strict/provider.ts';

/** `python` runs an analysis before it answers; `job` is carried out in three phases. */
export type Question = {
  readonly kind: 'say' | 'python' | 'job';
  readonly id: string;
  readonly count: number;
};

const PACE_MS = 15;
/** Long enough to be killed in. */
const ANALYSIS = 'import time\ntime.sleep(1)\nresult = {"slept": True}';

/** What a person would send. */
export const textOf = ({ kind, id, count }: Question): string => `${kind} ${id} ${count}`;

/** An id of letters only: redaction and grounding leave such words alone. */
export const idOf = (prefix: string, index: number): string => `${prefix}${letters(index)}`;

/** The whole answer; that of a phase begins with its number in letters. */
export const answerOf = ({ id, count }: Omit<Question, 'kind'>): string =>
  Array.from({ length: count }, (_, index) => `${id}-${letters(index)}`).join(' ');

/** The id of the words of one phase of a job. */
export const phaseId = (id: string, phase: number): string => `${id}${letters(phase)}`;

const letters = (number: number): string =>
  Array.from(number.toString(26).padStart(3, '0'))
    .map((digit) => String.fromCodePoint(97 + Number.parseInt(digit, 26)))
    .join('');

/** A server with the Chat Completions API that answers each question with its words. */
export type KnownModel = { readonly baseUrl: string; close(): Promise<void> };

/** Starts it. Requests that ask nothing of ours are answered 400. */
export async function startKnownModel(): Promise<KnownModel> {
  const server = createServer((request, response) => {
    void (async () => {
      if (request.method === 'GET') return void response.end(JSON.stringify({ data: [{ id: 'gpt-4.1' }] }));
      const body = JSON.parse(await text(request)) as Record<string, unknown>;
      const refusal = refusalOf('chat', { body });
      if (refusal !== null) {
        process.stderr.write(`refused: ${refusal.message}\n`);
        return void response.writeHead(refusal.status).end(JSON.stringify(refusal.body));
      }
      const reply = replyTo(body);
      if (reply === null) return void response.writeHead(400).end(JSON.stringify(NO_QUESTION));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for await (const piece of reply) {
        if (response.destroyed) return;
        response.write(piece);
      }
      response.end();
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const NO_QUESTION = { error: { message: 'no question of the chaos run' } };

type ChatMessage = { readonly role: string; readonly content?: unknown };

type Reply = AsyncGenerator<string>;

type Asked = {
  readonly messages?: readonly ChatMessage[];
  readonly tools?: readonly unknown[];
  readonly tool_choice?: unknown;
};

function replyTo({ messages = [], tools = [], tool_choice: choice }: Asked): Reply | null {
  const asked = questionIn(messages);
  if (asked === null) return null;
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  const outputs = messages.slice(lastUser + 1).filter(({ role }) => role === 'tool').length;
  if (asked.kind === 'job') return phaseReply(asked, JSON.stringify(messages), outputs);
  const mayCall = tools.length > 0 && choice !== 'none'; // not in a summary, nor where no tokens are left for more
  if (asked.kind === 'say' || !mayCall || outputs > 0) return streamed(answerOf(asked));
  return streamed('', { call: 'execute_python_analysis', args: { code: ANALYSIS } });
}

/** Planning, working, and a planning phase that ends the job. */
function phaseReply({ id, count }: Question, prompt: string, outputs: number): Reply {
  const phase = Number(/Phase (\d+), /u.exec(prompt)?.[1] ?? 1);
  const calls: Readonly<Record<number, readonly Call[]>> = {
    1: [{ call: 'next_phase_todos', args: { goal: `Find ${id}`, todos: [`Find ${id}`] } }],
    2: [
      { call: 'write_file', args: { path: 'report.md', content: `Report of ${id}.` } },
      { call: 'todo_complete', args: { todo_id: 1, result: `Found ${id}.` } },
    ],
    3: [{ call: 'finish_job', args: { report: 'report.md', summary: `Found ${id}.` } }],
  };
  const next = calls[phase]?.[outputs];
  return next ? streamed('', next) : streamed(answerOf({ id: phaseId(id, phase), count }));
}

/** The newest one: earlier turns, or a summary of them, stand before it. */
function questionIn(messages: readonly ChatMessage[]): Question | null {
  const users = messages.filter(({ role }) => role === 'user').toReversed();
  for (const { content } of [...users, ...messages]) {
    const found = [...textIn(content).matchAll(/\b(say|python|job) (k[a-z]+) (\d+)/gu)].at(-1);
    if (found) return { kind: found[1] as Question['kind'], id: found[2] ?? '', count: Number(found[3]) };
  }
  return null;
}

const textIn = (content: unknown): string =>
  typeof content === 'string' ? content : JSON.stringify(content ?? '').replaceAll('\\n', '\n');

type Call = { readonly call: string; readonly args: object };

/** Words one by one, then the call. */
async function* streamed(words: string, called: Call | null = null): Reply {
  for (const word of words.match(/\S+\s*/gu) ?? []) {
    yield choice({ content: word });
    await sleep(PACE_MS);
  }
  if (called) {
    const fn = { name: called.call, arguments: JSON.stringify(called.args) };
    yield choice({
      tool_calls: [{ index: 0, id: `call_${crypto.randomUUID()}`, type: 'function', function: fn }],
    });
  }
  yield choice({}, called ? 'tool_calls' : 'stop');
  yield 'data: [DONE]\n\n';
}

const choice = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
