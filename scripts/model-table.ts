/**
 * Compares `config/models.yaml` with a newer source: `npm run model-table -- FOLDER`, where FOLDER is the unpacked npm
 * package @earendil-works/pi-ai. Prints models that the table lacks, and windows and prices that differ.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { inTable } from '../src/agent/models/capabilities.ts';
import { readModelTable } from '../src/config/model-table.ts';

/** Makers by the names that the source has for them. */
const SOURCES = [
  'openai',
  'anthropic',
  'google',
  'mistral',
  'deepseek',
  'xai',
  'moonshotai',
  'zai',
  'meta',
  'minimax',
];

const listed = z.object({
  id: z.string(),
  contextWindow: z.number(),
  cost: z.object({ input: z.number(), output: z.number() }),
});
/** The source keeps its models in a form of its own, and a function that reads it. */
type Flatten = (source: string, catalog: unknown) => unknown;
const catalogModule = z.object({
  flattenChatModelCatalog: z.custom<Flatten>((given) => typeof given === 'function'),
});

const print = (line: string) => process.stdout.write(`${line}\n`);

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: npm run model-table -- FOLDER');
const table = await readModelTable();
const loaded: unknown = await import(pathToFileURL(join(folder, 'dist/model-catalog.js')).href);
const { flattenChatModelCatalog } = catalogModule.parse(loaded);

for (const source of SOURCES) {
  const text = await readFile(join(folder, 'dist/providers/data', `${source}.json`), 'utf8');
  const models = z.record(z.string(), listed).parse(flattenChatModelCatalog(source, JSON.parse(text)));
  for (const { id, contextWindow, cost } of Object.values(models)) {
    const found = inTable(table, id);
    const { contextTokens, price } = found?.source === 'table' ? found.facts : {};
    if (contextTokens === undefined) print(`${source} ${id}: missing`);
    else if (contextTokens !== contextWindow) print(`${source} ${id}: window ${contextWindow}`);
    else if (price && (price.input !== cost.input || price.output !== cost.output)) {
      print(`${source} ${id}: price ${cost.input}, ${cost.output}`);
    }
  }
}
