/** `npm run build`: builds the web client ahead of the first start, which otherwise does it. */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildClient } from '../../server/client-build/build-client.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, '');
// Vite builds React for developers under any other value, and tests and servers hand theirs down.
process.env['NODE_ENV'] = 'production';
const folder = await buildClient(root);
process.stdout.write(`the web client is built: ${relative(root, folder)}\n`);
// Vite's native parts keep handles that would hold the process.
process.exit(0);
