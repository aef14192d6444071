import module from 'node:module';
import { fileURLToPath } from 'node:url';

// Plain JavaScript on purpose: a Node that is too old to read TypeScript must still be able to read this.
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `QPilot needs Node 22.18 or newer; this is ${process.versions.node}.\n` +
      'Start it with "npm start" after "npm ci", which brings a fitting Node on most machines,\n' +
      'or install Node 24 from https://nodejs.org.',
  );
  process.exit(1);
}

// What Node compiles is kept for the next start, which then takes less time. Where it cannot be written, nothing is.
module.enableCompileCache(fileURLToPath(new URL('node_modules/.cache/node', import.meta.url)));

await import('./src/main.ts');
