/** An MCP server of a laboratory in few lines: the log of a dilution refrigerator, and a heater. `docs/mcp-servers.md` uses it. */
import { readFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const [head = '', ...lines] = readFileSync(new URL('log.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const [, ...channels] = head.split(',');
const rows = lines.map((line) => {
  const [at, ...values] = line.split(',');
  return { at, ...Object.fromEntries(channels.map((name, index) => [name, Number(values[index])])) };
});
let heaterMilliwatts = 0;

serveStdio(() => {
  const server = new McpServer({ name: 'fridge-log', version: '1.0.0' });
  const read = {
    description: 'Newest temperatures of the fridge, oldest first; the unit is in the name of each.',
    inputSchema: z.object({ last: z.int().min(1).max(500).describe('How many rows') }),
    annotations: { readOnlyHint: true },
  };
  server.registerTool('read_log', read, ({ last }) => {
    const structuredContent = { rows: rows.slice(-last), heater_mW: heaterMilliwatts };
    return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
  });
  const heat = {
    description: 'Sets the power of the heater of the mixing chamber.',
    inputSchema: z.object({ milliwatts: z.number().min(0).max(5) }),
  };
  server.registerTool('set_heater', heat, ({ milliwatts }) => {
    heaterMilliwatts = milliwatts;
    return { content: [{ type: 'text', text: `The heater is at ${milliwatts} mW.` }] };
  });
  return server;
});
