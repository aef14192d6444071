/** A process that serves one peer: `node peer-process.ts NAME MODEL_URL`. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import { createYoga } from 'graphql-yoga';
import { tokensSchema, startNaiveServer } from '../naive-server.ts';
import { reportUrl } from './processes.ts';
import { fetchSource, SOURCES, type Source } from './sources.ts';

const [name = '', baseURL = ''] = process.argv.slice(2);

if (name === 'graphql-ws') await serveSocket();
else if (name === 'yoga') await serveYoga();
else await serveText(SOURCES[name]?.(baseURL) ?? fail());

function fail(): never {
  throw new Error(`there is no peer ${name}; there are ${Object.keys(SOURCES).join(', ')}, yoga, graphql-ws`);
}

/** The model's tokens as they come; leaving the loop ends the request. */
async function* open(prompt: string): AsyncGenerator<string> {
  const leaving = new AbortController();
  try {
    yield* fetchSource(baseURL)(prompt, leaving.signal);
  } finally {
    leaving.abort();
  }
}

async function serveSocket(): Promise<void> {
  const { url } = await startNaiveServer(open);
  process.send?.({ url });
}

async function serveYoga(): Promise<void> {
  const yoga = createYoga({ schema: tokensSchema(open), logging: false, landingPage: false });
  await reportUrl(createServer((request, response) => void yoga(request, response)));
}

/** Server-sent events, a piece of text each. */
async function serveText(source: Source): Promise<void> {
  const server = createServer((request, response) => {
    const prompt = new URL(request.url ?? '', 'http://peer').searchParams.get('prompt') ?? '';
    const leaving = new AbortController();
    response.once('close', () => leaving.abort());
    const send = async (): Promise<void> => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for await (const text of source(prompt, leaving.signal)) {
        if (!response.write(`data: ${JSON.stringify(text)}\n\n`)) await once(response, 'drain', leaving);
      }
      response.end('data: [DONE]\n\n');
    };
    send().catch((error: unknown) => {
      if (!leaving.signal.aborted) console.error(`${name}:`, error);
      response.destroy();
    });
  });
  await reportUrl(server);
}
