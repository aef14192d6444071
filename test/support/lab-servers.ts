/** MCP servers of a laboratory: one by the official package, and one that answers as no server should. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { until } from '@qpilot/test-support';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { mcpServerSettings, type McpServerSettings } from '../../src/config/mcp-servers.ts';
import { post } from './graphql-client.ts';
import { sendWebResponse, webRequest } from '../../src/protocols/mcp/web-exchange.ts';

export type LabServer = {
  readonly url: string;
  /** Calls that reached it, oldest first. */
  readonly calls: readonly { readonly tool: string; readonly args: unknown }[];
  /** The headers of the newest request. */
  readonly headers: () => IncomingMessage['headers'];
  close(): Promise<void>;
};

/** Settings as the file would give them. */
export const labSettings = (given: object): McpServerSettings => {
  const [settings] = mcpServerSettings.parse([{ projects: 'all', tools: ['*'], ...given }]);
  if (settings === undefined) throw new Error('no settings');
  return settings;
};

/** How the official server differs from test to test. */
export type FridgeOptions = {
  /** In place of the rows of its log. */
  readonly rows?: () => readonly object[];
  /** What `read_log` says of itself, read for each request. */
  readonly description?: () => string;
  readonly port?: number;
};

export const FRIDGE_ROWS = [
  { at: '2026-05-20T05:00:00Z', mixing_chamber_mK: 37.4 },
  { at: '2026-05-20T06:00:00Z', mixing_chamber_mK: 21.3 },
];

/** A fridge log by the official package, over Streamable HTTP. */
export async function startFridge({
  rows = () => FRIDGE_ROWS,
  description = () => 'Newest temperatures of the fridge',
  port = 0,
}: FridgeOptions = {}): Promise<LabServer> {
  const calls: { tool: string; args: unknown }[] = [];
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'fridge', version: '1' });
    const last = z.object({ last: z.int().min(1).max(500) });
    const read = { description: description(), inputSchema: last, annotations: { readOnlyHint: true } };
    server.registerTool('read_log', read, (args) => {
      calls.push({ tool: 'read_log', args });
      const structuredContent = { rows: rows() };
      return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
    });
    const power = z.object({ milliwatts: z.number().min(0).max(5), note: z.string().optional() });
    server.registerTool('set_heater', { description: 'Sets the heater', inputSchema: power }, (args) => {
      calls.push({ tool: 'set_heater', args });
      return { content: [{ type: 'text', text: `The heater is at ${args.milliwatts} mW.` }] };
    });
    return server;
  });
  return listen(port, calls, async (request, response, body) => {
    const signal = new AbortController();
    response.on('close', () => signal.abort());
    await sendWebResponse(
      await handler.fetch(webRequest(request, signal.signal), { parsedBody: body }),
      response,
      {},
    );
  });
}

type Message = { readonly id?: number; readonly method?: string; readonly params?: unknown };

/** What a hostile server does with each method; what it leaves open is answered as the protocol wants it. */
export type HostileAnswers = Readonly<
  Record<string, (response: ServerResponse, message: Message) => void | Promise<void>>
>;

/** A server that lists any tools and answers anything, in the revision of 2025. */
export async function startHostile(
  tools: readonly object[] | (() => readonly object[]),
  answers: HostileAnswers = {},
): Promise<LabServer> {
  const calls: { tool: string; args: unknown }[] = [];
  return listen(0, calls, async (_request, response, body) => {
    const message = body as Message;
    const { method = '', id } = message;
    if (method === 'tools/call') {
      const { name, arguments: args } = message.params as { name: string; arguments: unknown };
      calls.push({ tool: name, args });
    }
    const own = answers[method];
    if (own !== undefined) return own(response, message);
    if (id === undefined) return void response.writeHead(202).end();
    if (method === 'initialize') {
      return sendResult(response, id, {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'hostile', version: '1' },
      });
    }
    if (method === 'tools/list')
      return sendResult(response, id, { tools: typeof tools === 'function' ? tools() : tools });
    if (method === 'tools/call')
      return sendResult(response, id, { content: [{ type: 'text', text: 'done' }] });
    return sendJson(response, { jsonrpc: '2.0', id, error: { code: -32_601, message: 'no such method' } });
  });
}

/** Answers with a result. */
export const sendResult = (response: ServerResponse, id: number | undefined, result: object): void =>
  sendJson(response, { jsonrpc: '2.0', id, result });

function sendJson(response: ServerResponse, message: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
}

async function listen(
  port: number,
  calls: LabServer['calls'],
  answer: (request: IncomingMessage, response: ServerResponse, body: unknown) => void | Promise<void>,
): Promise<LabServer> {
  let headers: IncomingMessage['headers'] = {};
  const server = createServer((request, response) => {
    headers = request.headers;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      void answer(request, response, text === '' ? undefined : JSON.parse(text));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    calls,
    headers: () => headers,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Writes the shipped settings with these servers into a folder; returns the file. */
export async function writeLabSettings(
  folder: string,
  servers: readonly object[],
  approvalSeconds = 600,
): Promise<string> {
  const file = join(folder, 'settings.yaml');
  const shipped = await readFile('config/qpilot.yaml', 'utf8');
  const settings = shipped
    .replace('mcpServers: []', stringify({ mcpServers: servers }))
    .replace('approvalSeconds: 600', `approvalSeconds: ${approvalSeconds}`);
  await writeFile(file, settings);
  return file;
}

/** Waits until a program has asked all of its servers, so that its first turn is sure to have their tools. */
export async function untilServersAreThere(url: string): Promise<void> {
  await until(
    async () => {
      const { data } = await post(url, '{ labServers { isThere } }');
      const servers = (data ?? {})['labServers'] as readonly { readonly isThere: boolean | null }[];
      return servers.every(({ isThere }) => isThere);
    },
    { what: 'the MCP servers are there' },
  );
}
