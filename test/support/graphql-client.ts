import { request } from 'node:http';

/** What a server answered, with its status. */
export type GraphqlAnswer = {
  readonly status: number;
  readonly data: Record<string, unknown> | null;
  readonly errors: readonly {
    message: string;
    path?: readonly (string | number)[];
    extensions: Record<string, unknown>;
  }[];
};

/** Sends one operation by POST. `Host` and `Origin` may be forged, which `fetch` forbids. */
export async function post(
  url: string,
  query: string,
  options: { variables?: object; headers?: Record<string, string>; operationName?: string } = {},
): Promise<GraphqlAnswer> {
  const { variables, operationName, headers } = options;
  const { status, body } = await send(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify({ query, variables, operationName }),
  });
  const parsed: unknown = JSON.parse(body);
  return { data: null, errors: [], ...(parsed as object), status };
}

/** Any request, answered as text. */
export function send(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string },
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof send>>>();
  const outgoing = request(
    url,
    { method: options.method ?? 'GET', headers: options.headers, agent: false },
    (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    },
  );
  outgoing.on('error', reject);
  outgoing.end(options.body);
  return promise;
}

/** Results of a subscription by server-sent events, until the server completes it or the consumer returns. */
export async function* sse(
  url: string,
  query: string,
  variables: object,
  headers: Record<string, string> = {},
  /** Called once the server has taken the request. */
  onOpen: () => void = () => undefined,
): AsyncGenerator<GraphqlAnswer> {
  const leave = new AbortController();
  try {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
      body: JSON.stringify({ query, variables }),
      signal: leave.signal,
    });
    onOpen();
    let event = '';
    for await (const line of linesOf(response)) {
      if (line.startsWith('event: ')) event = line.slice('event: '.length);
      if (event === 'complete') return;
      if (line.startsWith('data: {')) {
        const parsed: unknown = JSON.parse(line.slice('data: '.length));
        yield { data: null, errors: [], ...(parsed as object), status: response.status };
      }
    }
  } finally {
    leave.abort();
  }
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
}
