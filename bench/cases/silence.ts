import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { inMegabytes, inMs, type Bench, type Row } from '../bench.ts';
import {
  longTable,
  ofDoors,
  ofImport,
  ofSchema,
  ofTools,
  type LargeRequest,
} from '../silence/large-requests.ts';
import { startServer, type StartedServer } from '../silence/started-server.ts';

const SCHEMA = join(import.meta.dirname, '../../schema/schema.graphql');
/** Of one request, and of an import of a million rows, in processor time of the main thread. */
const LIMIT_MS = 50;
const IMPORT_LIMIT_MS = 250;
const IMPORT_LIMIT_MB = 700;
/** Requests that are shown though they are below the limit. */
const SHOWN = 10;
const ROWS = 1_000_000;
const MB = 1024 * 1024;

/** For how long `/livez` is silent while a started server reads the largest requests that it takes, each alone. */
export const silence: Bench = async ({ progress }) => {
  const server = await startServer();
  try {
    const schema = buildSchema(await readFile(SCHEMA, 'utf8'));
    const requests = [...ofDoors(), ...ofSchema(schema), ...(await ofTools(server.url))];
    const rows: Row[] = [];
    for (const [index, request] of requests.entries()) {
      if (index % 50 === 0) progress(`${index} of ${requests.length} requests`);
      const row = inMs(request.what, await longestMs(server, request), LIMIT_MS);
      if (row.value > LIMIT_MS) progress(`${row.what}: ${row.value.toFixed(0)} ms`);
      rows.push(row);
    }
    const longest = rows.toSorted((a, b) => b.value - a.value);
    const shown = longest.filter(({ value }, index) => value > LIMIT_MS || index < SHOWN);
    const table = new Blob([longTable(ROWS)]);
    const json = new Blob([`{"qubits": [${'[],'.repeat(20 * MB)}[]]}`]);
    const text = new Blob(['x'.repeat(60 * MB)]);
    const imports = [
      ofImport('60 MB of JSON', json, 'props_x.json', 'preview'),
      ofImport('60 MB of one line', text, 'x.csv', 'preview'),
      ofImport('1,000,000 rows', table, 't.csv', 'preview'),
      ofImport('1,000,000 rows', table, 't.csv', 'yes'),
    ];
    for (const request of imports) {
      progress(request.what);
      shown.push(...(await importRows(server, request)));
    }
    return shown;
  } finally {
    await server.stop();
  }
};

/** A silence of once may be a collection of garbage that another caused: one over the limit counts if it comes back. */
async function longestMs(server: StartedServer, { send }: LargeRequest): Promise<number> {
  let longest = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 3 && longest > LIMIT_MS; time += 1) {
    await server.begin();
    await send(server.url);
    longest = Math.min(longest, (await server.end()).longestMs);
  }
  return longest;
}

async function importRows(server: StartedServer, { what, send }: LargeRequest): Promise<readonly Row[]> {
  await server.begin();
  await send(server.url);
  const { longestMs: longest, peakBytes, residentBytes } = await server.end();
  return [
    inMs(`${what}: silence`, longest, IMPORT_LIMIT_MS),
    inMegabytes(`${what}: most memory`, peakBytes / MB, IMPORT_LIMIT_MB),
    inMegabytes(`${what}: memory afterwards`, residentBytes / MB),
  ];
}
