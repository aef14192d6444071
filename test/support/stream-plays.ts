/** Recorded conversations of real providers, and how each is put on the wire. */
import { readFile } from 'node:fs/promises';
import { ModelError, type Model } from '../../src/agent/model.ts';
import { adapterModel, add, multiply, weather, type AdapterKind } from './adapters.ts';
import { ofType, runTurn, testTool } from './agent-run.ts';
import { startModelServer, type Reply } from './model-server.ts';
import { ANSWER, GOOD } from './provider-faults.ts';
import { sharedPath } from './shared-data.ts';

/** Files of one conversation, in the order in which they were recorded. */
export type Recording = { readonly files: readonly string[]; readonly kind: AdapterKind };

const model = (kind: AdapterKind, ...names: readonly string[]): Recording => ({
  kind,
  files: names.map((name) => `model-streams/${name}`),
});
const openai = (kind: AdapterKind, ...names: readonly string[]): Recording => ({
  kind,
  files: names.map((name) => `openai-streams/${name}`),
});
const steps = (name: string) => [`${name}.step1.sse`, `${name}.step2.sse`] as const;

/** Every recorded stream of the shared data. */
export const RECORDINGS: readonly Recording[] = [
  model('anthropic', 'anthropic-doubled-start.sse'),
  model('anthropic', 'anthropic-redacted-thinking.sse'),
  model('anthropic', 'anthropic-refusal.sse'),
  model('anthropic', ...steps('anthropic-thinking-tool')),
  model('anthropic', 'anthropic-tool-no-arguments.sse'),
  model('anthropic', ...steps('anthropic-two-tools')),
  model('chat', ...steps('chat-gateway-gemini-thinking')),
  model('chat', ...steps('chat-groq-tool-use-failed')),
  model('chat', ...steps('chat-openrouter-claude-thinking')),
  model('chat', ...steps('chat-openrouter-grok-tool')),
  model('chat', 'chat-openrouter-stream-error.sse'),
  model('responses', ...steps('responses-gpt5-summaries')),
  model('responses', 'responses-two-messages.sse'),
  openai('responses', 'responses-text.sse'),
  openai('responses', 'responses-reasoning-text.sse'),
  openai('responses', ...steps('responses-function-call')),
  openai('responses', ...steps('responses-parallel-calls')),
  openai('responses', 'responses-error-quota.chunks.txt'),
  openai('responses', 'responses-incomplete.chunks.txt'),
  openai('chat', 'chat-text.sse'),
  openai('chat', ...steps('chat-tool-call')),
  openai('chat', ...steps('chat-ollama-tool-call')),
];

/** The bodies of a recording; payloads that were stored one a line are put into event frames. */
export const bodiesOf = ({ files }: Recording): Promise<readonly string[]> =>
  Promise.all(
    files.map(async (file) => {
      const text = await readFile(sharedPath(`data/${file}`), 'utf8');
      if (!file.endsWith('.chunks.txt')) return text;
      const lines = text.split('\n').filter((line) => line !== '');
      return lines.map((line) => `data: ${line}\n\n`).join('');
    }),
  );

/** How the first body of a conversation is sent. */
export type Framing = {
  readonly name: string;
  /** The connection breaks, so that the request has to be made again unless all that matters had come. */
  readonly isBroken?: true;
  readonly reply: (body: string, kind: AdapterKind) => Reply;
};

/** Lengths that look random and are the same in every run. */
function randomLengths(seed: number): readonly number[] {
  let state = seed;
  return Array.from({ length: 50 }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return 1 + (state % 300);
  });
}

const between = (body: string, inserted: string): string =>
  body.replaceAll(/\r?\n\r?\n/g, (end) => `${end}${inserted}`);
const sharesOf = (body: string, share: number): number => Math.floor(Buffer.byteLength(body) * share);
const cut = (how: 'end' | 'break' | 'stall', share: number): Framing => ({
  name: `${how} at ${share * 100} %`,
  isBroken: true,
  reply: (body) => ({ body, cut: { at: sharesOf(body, share), how } }),
});

/** How bodies are put on the wire. */
export const FRAMINGS: readonly Framing[] = [
  { name: 'whole', reply: (body) => ({ body }) },
  { name: 'one byte a packet', reply: (body) => ({ body, packet: 1 }) },
  ...[7, 77].map((seed) => ({
    name: `random packets with CRLF (${seed})`,
    reply: (body: string) => ({ body: body.replaceAll(/\r?\n/g, '\r\n'), packet: randomLengths(seed) }),
  })),
  { name: 'a comment between frames', reply: (body) => ({ body: between(body, ': still here\n\n') }) },
  {
    name: 'a ping between frames',
    reply: (body, kind) => ({
      body: kind === 'anthropic' ? between(body, 'event: ping\ndata: {"type":"ping"}\n\n') : body,
    }),
  },
  {
    name: 'a hundred keep-alive lines first',
    reply: (body) => ({ body: `${': OPENROUTER PROCESSING\n\n'.repeat(100)}${body}`, packet: 100 }),
  },
  ...[0, 0.1, 0.35, 0.6, 0.85, 0.97].map((share) => cut('end', share)),
  ...[0, 0.35, 0.85].map((share) => cut('break', share)),
  ...[0, 0.6].map((share) => cut('stall', share)),
];

/** What came out of a turn. */
export type Played = {
  readonly status: string;
  readonly error: string | null;
  readonly text: string;
  readonly calls: readonly string[];
  /** How each response ended, in order: its finish reason, or the code of its failure. */
  readonly ends: readonly string[];
  /** Input, cached and output tokens. */
  readonly usage: readonly number[] | null;
  readonly requests: number;
};

const TOOLS = [add, multiply, weather, testTool('updateIssueList'), testTool('final_result')];

/** Notes how each response of a model ends. */
export function withEnds(inner: Model, ends: string[]): Model {
  return {
    ...inner,
    async *stream(request, signal) {
      try {
        for await (const event of inner.stream(request, signal)) {
          if (event.type === 'finished') ends.push(event.reason);
          yield event;
        }
      } catch (error) {
        ends.push(error instanceof ModelError ? error.code : signal.aborted ? 'STOPPED' : String(error));
        throw error;
      }
    },
  };
}

/** Runs a turn over a recording; its first body comes in the framing, and once more where that broke it. */
export async function play(
  { kind }: Recording,
  bodies: readonly string[],
  { reply, isBroken }: Framing,
  more: Parameters<typeof runTurn>[2] = {},
): Promise<Played> {
  const ends: string[] = [];
  const isFinish = (end: string | undefined) => end !== undefined && /^[a-z]+$/.test(end);
  let repeated = 0;
  const server = await startModelServer((index) => {
    if (index === 1 && isBroken === true && !isFinish(ends[0])) repeated = 1;
    const body = bodies[index - repeated];
    // Some recordings end with a call; the answer to its output is ours.
    if (body === undefined) return GOOD[kind];
    return index === 0 ? reply(body, kind) : { body };
  });
  try {
    const { outcome, text, activities } = await runTurn(
      withEnds(adapterModel(kind, server), ends),
      TOOLS,
      more,
    );
    const { usage } = outcome;
    return {
      status: outcome.status,
      error: outcome.error?.code ?? null,
      text: text.replace(new RegExp(`(?:\n\n)?${ANSWER}$`), ''),
      calls: ofType(activities, 'tool-started').map(
        ({ call }) => `${call.tool} ${JSON.stringify(call.arguments)}`,
      ),
      ends,
      usage: usage && [usage.inputTokens, usage.cachedTokens, usage.outputTokens],
      requests: server.requests.length,
    };
  } finally {
    await server.close();
  }
}

type Frame = {
  type?: string;
  delta?: unknown;
  index?: number;
  output_index?: number;
  choices?: { delta?: { content?: string | null } | null }[];
};

/** The text of recorded bodies by a second, simpler reading: blocks and steps are apart by an empty line. */
export function textOfBodies(bodies: readonly string[]): string {
  return bodies
    .flatMap(textsOfBody)
    .filter((text) => text !== '')
    .join('\n\n');
}

function textsOfBody(body: string): readonly string[] {
  const texts = new Map<number, string>();
  for (const [, json] of body.matchAll(/^data: (\{.*\})\r?$/gm)) {
    const frame = JSON.parse(json!) as Frame;
    const delta = frame.delta as string | { type?: string; text?: string } | undefined;
    const added =
      frame.type === 'response.output_text.delta'
        ? (delta as string)
        : typeof delta === 'object' && delta.type === 'text_delta'
          ? delta.text
          : frame.choices?.[0]?.delta?.content;
    const at = frame.output_index ?? frame.index ?? 0;
    texts.set(at, (texts.get(at) ?? '') + (added ?? ''));
  }
  return [...texts].toSorted(([a], [b]) => a - b).map(([, text]) => text);
}
