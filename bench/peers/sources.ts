/** What each framework makes of a prompt: the text of its answer as it comes. Each as its manual shows it. */
import { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled, tool } from '@openai/agents';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Agent as MastraAgent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { isStepCount, streamText, tool as aiTool } from 'ai';
import OpenAI from 'openai';
import { z } from 'zod';
import { dataOf } from './sse.ts';

/** Streams an answer; ends early when the signal aborts. */
export type Source = (prompt: string, signal: AbortSignal) => AsyncIterable<string>;

const delta = z.object({
  choices: z.array(z.object({ delta: z.object({ content: z.string().nullish() }) })),
});
const INSTRUCTIONS = 'Answer briefly.';
const LOOKUP = {
  description: 'What is at a place.',
  inputs: z.object({ place: z.number() }),
  look: ({ place }: { readonly place: number }) => Promise.resolve({ place, found: 'a qubit' }),
};
/** Steps that an agent may take: three calls and the answer, and one to spare. */
const STEPS = 5;

/** Sources by name; `baseURL` ends in `/v1`. */
export const SOURCES: Readonly<Record<string, (baseURL: string) => Source>> = {
  fetch: fetchSource,
  openai: openaiSource,
  agents: agentsSource,
  ai: aiSource,
  mastra: mastraSource,
};

export function fetchSource(baseURL: string): Source {
  return async function* (prompt, signal) {
    const body = JSON.stringify({
      model: 'paced',
      stream: true,
      messages: [
        { role: 'system', content: INSTRUCTIONS },
        { role: 'user', content: prompt },
      ],
    });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${baseURL}/chat/completions`, { method: 'POST', headers, body, signal });
    for await (const data of dataOf(response)) {
      if (data === '[DONE]') return;
      const text = delta.parse(JSON.parse(data)).choices[0]?.delta.content;
      if (text) yield text;
    }
  };
}

function openaiSource(baseURL: string): Source {
  const client = new OpenAI({ baseURL, apiKey: 'none' });
  return async function* (prompt, signal) {
    const messages = [
      { role: 'system' as const, content: INSTRUCTIONS },
      { role: 'user' as const, content: prompt },
    ];
    const stream = await client.chat.completions.create(
      { model: 'paced', stream: true, messages },
      { signal },
    );
    for await (const { choices } of stream) {
      const text = choices[0]?.delta.content;
      if (text) yield text;
    }
  };
}

function agentsSource(baseURL: string): Source {
  setTracingDisabled(true);
  const client = new OpenAI({ baseURL, apiKey: 'none' });
  const agent = new Agent({
    name: 'bench',
    instructions: INSTRUCTIONS,
    model: new OpenAIChatCompletionsModel(client, 'paced'),
    tools: [
      tool({
        name: 'lookup',
        description: LOOKUP.description,
        parameters: LOOKUP.inputs,
        execute: LOOKUP.look,
      }),
    ],
  });
  return async function* (prompt, signal) {
    const result = await run(agent, prompt, { stream: true, signal });
    for await (const text of result.toTextStream()) yield text;
    await result.completed;
  };
}

function aiSource(baseURL: string): Source {
  const model = createOpenAICompatible({ name: 'bench', baseURL }).chatModel('paced');
  const tools = {
    lookup: aiTool({ description: LOOKUP.description, inputSchema: LOOKUP.inputs, execute: LOOKUP.look }),
  };
  return async function* (prompt, abortSignal) {
    const { textStream } = streamText({
      model,
      instructions: INSTRUCTIONS,
      prompt,
      tools,
      stopWhen: isStepCount(STEPS),
      abortSignal,
    });
    for await (const text of textStream) yield text;
  };
}

function mastraSource(baseURL: string): Source {
  const agent = new MastraAgent({
    id: 'bench',
    name: 'bench',
    instructions: INSTRUCTIONS,
    model: { id: 'bench/paced', url: baseURL, apiKey: 'none' },
    tools: {
      lookup: createTool({
        id: 'lookup',
        description: LOOKUP.description,
        inputSchema: LOOKUP.inputs,
        execute: LOOKUP.look,
      }),
    },
  });
  return async function* (prompt, abortSignal) {
    const { textStream } = await agent.stream(prompt, { abortSignal, maxSteps: STEPS });
    for await (const text of textStream) yield text;
  };
}
