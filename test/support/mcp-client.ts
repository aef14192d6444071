/** A client of the Model Context Protocol of few lines, which can also send what no real client would. */
import { send } from './graphql-client.ts';

/** A message of a server. */
export type McpMessage = {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: { readonly message?: string };
  readonly result?: McpResult;
  readonly error?: { readonly code: number; readonly message: string };
};

/** Of `tools/call`, and the lists of other methods. */
export type McpResult = {
  readonly isError?: boolean;
  readonly content?: readonly { readonly type: string; readonly text?: string; readonly uri?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly [name: string]: unknown;
};

export type McpAnswer = {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
  readonly messages: readonly McpMessage[];
  readonly result: McpResult | undefined;
  readonly error: McpMessage['error'];
};

export const MCP_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** A request as text, with a token for its progress. */
export const mcpBody = (method: string, params: object = {}, id: number | string = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: { progressToken: id } } });

/** Sends a request, and waits for all that comes back. */
export async function mcp(
  url: string,
  method: string,
  params: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<McpAnswer> {
  return mcpText(url, mcpBody(method, params), headers);
}

/** Sends any text. */
export async function mcpText(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<McpAnswer> {
  const answer = await send(`${url}/mcp`, { method: 'POST', headers: { ...MCP_HEADERS, ...headers }, body });
  const messages = messagesIn(answer.body);
  const last = messages.findLast(({ id }) => id !== undefined);
  return { ...answer, messages, result: last?.result, error: last?.error };
}

/** The messages of a body, of one or of a stream of events. */
export function messagesIn(body: string): readonly McpMessage[] {
  if (body.startsWith('{')) return [JSON.parse(body) as McpMessage];
  return [...body.matchAll(/^data: (\{.*\})$/gmu)].map(([, text = '']) => JSON.parse(text) as McpMessage);
}

/** The structured result of a call. @throws Error for one without */
export function structuredIn({ result, body }: McpAnswer): Readonly<Record<string, unknown>> {
  if (result?.structuredContent === undefined) throw new Error(`the call has no structured result: ${body}`);
  return result.structuredContent;
}

/** Calls a tool. */
export const callTool = (
  url: string,
  name: string,
  args: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<McpAnswer> => mcp(url, 'tools/call', { name, arguments: args }, headers);

/** The same request in the revision of 2026, which carries all that it means. */
export function callModern(
  url: string,
  method: string,
  params: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<McpAnswer> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
    progressToken: 1,
  };
  const name = params['name'] ?? params['uri'];
  return mcpText(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }), {
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
    ...headers,
  });
}

const MODERN = '2026-07-28';
