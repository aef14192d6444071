import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** Paths of the server that pages ask for. */
const SERVER_PATHS = [
  '/graphql',
  '/auth/',
  '/charts/',
  '/docs/',
  '/figures/',
  '/import/',
  '/message-images/',
  '/health',
];

/**
 * How the web client is built, and how it is served while someone works on it: `npm run dev:client` beside a server
 * (`QPILOT_URL`, default the one of `npm start`). `src/server/client-build/` decides where a build goes.
 */
export default defineConfig(() => {
  const target = process.env['QPILOT_URL'] ?? 'http://127.0.0.1:4000';
  // The server answers only its own origin, so the proxy sends that one.
  const proxy = { target, changeOrigin: true, ws: true, headers: { origin: target } };
  return {
    root: fileURLToPath(new URL('.', import.meta.url)),
    // The server puts a fresh nonce in its place, see `src/server/static-client.ts`.
    html: { cspNonce: 'QPILOT_NONCE' },
    oxc: { jsx: { runtime: 'automatic' } },
    build: {
      // From here on browsers know light-dark() themselves; rewritten for older ones it does not follow Mantine's
      // scheme.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      rolldownOptions: {
        // Libraries mark components for server rendering, which is not used here.
        onLog: (level, log, handle) => void (log.code === 'MODULE_LEVEL_DIRECTIVE' || handle(level, log)),
      },
    },
    server: { port: 5173, proxy: Object.fromEntries(SERVER_PATHS.map((path) => [path, proxy])) },
  };
});
