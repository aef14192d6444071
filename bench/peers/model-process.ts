/** A process that answers like a provider's Chat Completions: at the pace that the prompt orders, with tool calls first. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { z } from 'zod';
import { nowMs } from '../cpu.ts';
import { pacedTokens } from '../paced-model.ts';
import { reportUrl } from './processes.ts';
import { orderIn, tokenOfNow, type Order } from './words.ts';

const request = z.object({
  stream: z.boolean().optional(),
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).optional(),
});

/** When the client of an order closed its connection in mid-answer, by {@link nowMs}. */
const abandonedAtMs = new Map<string, number>();
/** Tool calls that were made for an order. */
const callsOf = new Map<string, number>();

/** The tool that is called: QPilot's own where it is offered, else that of the peers. */
const CALLS: Readonly<Record<string, (round: number) => object>> = {
  get_chip_topology: (round) => ({ qids: [String(round)] }),
  lookup: (round) => ({ place: round }),
};

const server = createServer((incoming, response) => {
  answer(incoming, response).catch((error: unknown) => {
    console.error('model:', error);
    response.destroy();
  });
});
await reportUrl(server);

async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(incoming.url ?? '', 'http://model');
  if (incoming.method === 'GET') {
    const id = path.searchParams.get('order') ?? '';
    return json(response, {
      data: [{ id: 'paced', object: 'model' }],
      abandonedAtMs: abandonedAtMs.get(id) ?? null,
      calls: callsOf.get(id) ?? 0,
    });
  }
  const { stream, messages, tools = [] } = request.parse(JSON.parse(await textOf(incoming)));
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  const order = orderIn(JSON.stringify(messages[lastUser]?.content ?? ''));
  if (stream !== true || order === null) {
    return json(response, {
      ...chunk({}, 'stop'),
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Bench' } }],
    });
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const round = messages.slice(lastUser).filter(({ role }) => role === 'tool').length;
  const tool = tools.find(({ function: { name } }) => name in CALLS)?.function.name;
  if (round < order.calls && tool !== undefined) {
    callsOf.set(order.id, round + 1);
    call(response, tool, round);
  } else await send(response, order);
}

function call(response: ServerResponse, name: string, round: number): void {
  const started = { name, arguments: JSON.stringify(CALLS[name]?.(round) ?? {}) };
  const tool_calls = [{ index: 0, id: `call_${round}`, type: 'function', function: started }];
  response.write(line(chunk({ role: 'assistant', content: null, tool_calls }, null)));
  response.end(`${line(chunk({}, 'tool_calls'))}data: [DONE]\n\n`);
}

async function send(response: ServerResponse, { id, tokens, intervalMs }: Order): Promise<void> {
  response.once('close', () => {
    if (!response.writableFinished) abandonedAtMs.set(id, nowMs());
  });
  response.write(line(chunk({ role: 'assistant', content: '' }, null)));
  const pace = { tokens, intervalMs, startAtMs: Promise.resolve(nowMs()) };
  for await (const _ of pacedTokens(pace, () => {})) {
    if (response.destroyed) return;
    if (!response.write(line(chunk({ content: tokenOfNow() }, null)))) {
      await drained(response);
    }
  }
  const usage = { prompt_tokens: 100, completion_tokens: tokens, total_tokens: 100 + tokens };
  response.end(
    `${line(chunk({}, 'stop'))}${line({ ...chunk({}, null), choices: [], usage })}data: [DONE]\n\n`,
  );
}

/** Until a response takes more, or is closed. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
  });

const chunk = (delta: object, finish_reason: string | null) => ({
  id: 'chatcmpl-bench',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'paced',
  choices: [{ index: 0, delta, finish_reason }],
});

const line = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

function json(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
