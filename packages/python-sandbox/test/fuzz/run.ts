/**
 * `npm run sandbox-fuzz -- [native|pyodide] [scripts] [seed]`: the long form of `fuzz.test.ts`. Exits with 1 on a
 * fault.
 */
import { z } from 'zod';
import { fuzz } from './fuzz.ts';

const [name = 'pyodide', scripts = 500, seed = Date.now() % 1_000_000] = process.argv.slice(2);
const options = z
  .object({ engine: z.enum(['native', 'pyodide']), scripts: z.coerce.number(), seed: z.coerce.number() })
  .parse({ engine: name, scripts, seed });
const wrong = await fuzz(options);
process.stdout.write([...wrong, `${JSON.stringify(options)}: ${wrong.length} faults`, ''].join('\n\n'));
if (wrong.length > 0) process.exitCode = 1;
