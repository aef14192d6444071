import { longTable, ofImport } from './silence/large-requests.ts';
import { startServer } from './silence/started-server.ts';
const server = await startServer();
const MB=1048576;
const table = new Blob([longTable(1_000_000)]);
const json = new Blob([`{"qubits": [${'[],'.repeat(20 * MB)}[]]}`]);
for (const r of [ofImport('60 MB of JSON', json, 'props_x.json', 'preview'), ofImport('1M preview', table, 't.csv', 'preview'), ofImport('1M write', table, 't.csv', 'yes')]) {
  const t=Date.now(); await server.begin(); await r.send(server.url); const e=await server.end();
  console.log(r.what, Math.round((Date.now()-t)/1000)+' s', 'longest', Math.round(e.longestMs), 'peak', Math.round(e.peakBytes/MB), 'after', Math.round(e.residentBytes/MB));
}
await server.stop();
