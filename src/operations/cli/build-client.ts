/** `npm run build`: builds the web client in advance, which otherwise happens on the first start. */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildClient } from '../../server/client-build/build-client.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, '');
// Any other value makes Vite build React for development, and the variable is inherited from tests and servers.
process.env['NODE_ENV'] = 'production';
const folder = await buildClient(root);
process.stdout.write(`built the web client: ${relative(root, folder)}\n`);
// Vite's native parts hold handles that keep the process alive.
process.exit(0);
