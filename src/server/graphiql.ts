/** GraphiQL's page: what it opens with, and what it may load. */
import { createHash } from 'node:crypto';
import type { Plugin } from 'graphql-yoga';

/** The question in the query that GraphiQL opens with; it works on the demo chip without a model. */
const DEFAULT_QUERY = `# QPilot answers questions about quantum-chip calibration data. Run this to see the chips there are:
query Chips {
  viewer { name projectId }
  chips {
    chipId
    size
    summary {
      health { label score problems { qubit { label } parameter value unit rating } }
      parameters { title unit median min max count missing }
    }
  }
}

# Ask a question ...
mutation Ask {
  sendMessage(input: { content: "How healthy is the chip?", clientMessageId: "graphiql-1" }) {
    __typename
    ... on SendMessagePayload { session { id } turn { id } lastSeq }
    ... on UserError { code message }
  }
}

# ... and watch the answer arrive: put the id of the session into the variables, {"sessionId": "..."}.
subscription Watch($sessionId: ID!) {
  copilotEvents(sessionId: $sessionId) {
    __typename
    ... on SequencedEvent { seq }
    ... on TokenEvent { text }
    ... on ToolCallStartedEvent { label description }
    ... on ToolCallFinishedEvent { toolStatus durationMs preview }
    ... on ChartEvent { chart { title kind } }
    ... on TurnFinishedEvent { turnStatus message { text } error { message } }
  }
}
`;

/** What GraphiQL shows. Subscriptions go over WebSocket. */
export const graphiqlOptions = {
  title: 'QPilot',
  defaultQuery: DEFAULT_QUERY,
  subscriptionsProtocol: 'WS',
} as const;

/** The page, and the headers that keep other sites from framing it and the page from loading anything of theirs. */
export function createGraphiql() {
  let headers: readonly (readonly [string, string])[] = [];
  return {
    /** Loaded on demand: the page is 30 MB of text in memory. */
    async render(options: object | undefined): Promise<string> {
      const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
      const page = renderGraphiQL(options ?? {});
      headers = [
        ['content-security-policy', policyOf(page)],
        ['x-content-type-options', 'nosniff'],
        ['referrer-policy', 'no-referrer'],
      ];
      return page;
    },
    plugin: {
      onResponse({ response }) {
        if (!response.headers.get('content-type')?.startsWith('text/html')) return;
        for (const [name, value] of headers) response.headers.set(name, value);
      },
    } satisfies Plugin,
  };
}

/** Its editor creates style elements and workers of its own text. */
const policyOf = (page: string): string =>
  [
    "default-src 'none'",
    `script-src ${hashesOfScripts(page).join(' ')} blob:`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const hashesOfScripts = (page: string): readonly string[] =>
  [...page.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/gu)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
