/**
 * `npm run mcp:clients -- [--url URL]`: asks one question through clients that others wrote, by HTTP and by standard input, and
 * through QPilot's own clients; fails unless all give the same values. Then the scenarios of the protocol's conformance suite
 * that are not about its own example server. The key is QPILOT_TOKEN.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const { values } = parseArgs({ options: { url: { type: 'string', default: 'http://127.0.0.1:4000' } } });
const { url } = values;
const token = process.env['QPILOT_TOKEN'] ?? '';
const headers: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` };
const root = fileURLToPath(new URL('../..', import.meta.url));
const bin = fileURLToPath(new URL('node_modules/.bin', import.meta.url));
const run = promisify(execFile);

const QUESTION = 'Which five qubits have the shortest T1?';
const CALL = { metric_name: 't1', order: 'lowest', count: 5 } as const;

/** The question, as a call of a tool and as one of the copilot; whatever a client makes of a result, as text. */
type Answers = { readonly tool: string; readonly asked: string };

const byAiSdk = async (transport: Parameters<typeof createMCPClient>[0]['transport']): Promise<Answers> => {
  const client = await createMCPClient({ transport });
  try {
    const tools = await client.tools();
    const options = { toolCallId: 'x', messages: [] } as never;
    const call = async (name: string, args: object) =>
      JSON.stringify(await tools[name]?.execute?.(args as never, options));
    return { tool: await call('rank_qubits', CALL), asked: await call('ask_qpilot', { question: QUESTION }) };
  } finally {
    await client.close();
  }
};

const byLangchain = async (): Promise<Answers> => {
  const client = new MultiServerMCPClient({ qpilot: { transport: 'http', url: `${url}/mcp`, headers } });
  try {
    const tools = await client.getTools();
    const call = async (name: string, args: object) =>
      JSON.stringify(await tools.find((tool) => tool.name === name)?.invoke(args));
    return { tool: await call('rank_qubits', CALL), asked: await call('ask_qpilot', { question: QUESTION }) };
  } finally {
    await client.close();
  }
};

const byOfficial = async (mode: 'auto' | 'legacy'): Promise<Answers> => {
  const client = new Client({ name: 'qpilot-clients', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  );
  try {
    const call = async (name: string, args: Record<string, unknown>) =>
      JSON.stringify(await client.callTool({ name, arguments: args }));
    return {
      tool: await call('rank_qubits', { ...CALL }),
      asked: await call('ask_qpilot', { question: QUESTION }),
    };
  } finally {
    await client.close();
  }
};

const byInspector = async (): Promise<Answers> => {
  const call = async (name: string, args: object): Promise<string> => {
    const pairs = Object.entries(args).flatMap(([key, value]) => ['--tool-arg', `${key}=${value}`]);
    const signed = Object.entries(headers).flatMap(([key, value]) => ['--header', `${key}: ${value}`]);
    const command = [
      '--cli',
      `${url}/mcp`,
      '--method',
      'tools/call',
      '--tool-name',
      name,
      ...pairs,
      ...signed,
    ];
    return (await run(`${bin}/mcp-inspector`, command)).stdout;
  };
  return { tool: await call('rank_qubits', CALL), asked: await call('ask_qpilot', { question: QUESTION }) };
};

/** `npm run ask`, and what it stored as GraphQL reads it. */
const byOwn = async (): Promise<Answers> => {
  const { stdout } = await run(process.execPath, ['client/terminal/ask.ts', QUESTION, '--url', url], {
    cwd: root,
  });
  const query = '{ viewer { newestTurns(first: 1) { message { text } } } }';
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
  return { tool: await response.text(), asked: stdout };
};

const stdio = new StdioTransport({
  command: process.execPath,
  args: [`${root}client/terminal/mcp.ts`, '--url', url],
  env: { ...process.env, QPILOT_TOKEN: token } as Record<string, string>,
});
const http = { type: 'http', url: `${url}/mcp`, headers } as const;
const CLIENTS = {
  '@ai-sdk/mcp, HTTP': () => byAiSdk(http),
  '@ai-sdk/mcp, npm run mcp': () => byAiSdk(stdio),
  '@langchain/mcp-adapters': byLangchain,
  '@modelcontextprotocol/client, newest revision': () => byOfficial('auto'),
  '@modelcontextprotocol/client, revision of 2025': () => byOfficial('legacy'),
  '@modelcontextprotocol/inspector --cli': byInspector,
  'npm run ask, GraphQL': byOwn,
};

/** `Q45 9.65 μs` and so on: the first five. */
const valuesIn = (text: string): string => (text.match(/Q\d+ [\d.]+ μs/gu) ?? []).slice(0, 5).join(', ');

const seen = new Set<string>();
for (const [name, ask] of Object.entries(CLIENTS)) {
  const { tool, asked } = await ask();
  for (const each of [tool, asked]) seen.add(valuesIn(each));
  console.log(`${name}\n  tool   ${valuesIn(tool)}\n  asked  ${valuesIn(asked)}`);
}
if (seen.size !== 1 || seen.has('')) throw new Error(`the clients differ: ${[...seen].join(' | ')}`);

/** Those about the protocol; the others call tools of the suite's own example server. */
const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'completion-complete',
  'dns-rebinding-protection',
  'server-sse-multiple-streams',
];
const door = token === '' ? `${url}/mcp` : null;
if (door === null)
  console.log('conformance: the suite sends no key; run it against a server without sign-in');
for (const scenario of door === null ? [] : SCENARIOS) {
  const args = ['server', '--url', door ?? '', '--scenario', scenario];
  const { stdout } = await run(`${bin}/conformance`, args).catch((error: { stdout: string }) => {
    process.exitCode = 1;
    return error;
  });
  console.log(`conformance ${scenario}: ${/Passed: .*/u.exec(stdout)?.[0] ?? stdout.slice(-300)}`);
}
