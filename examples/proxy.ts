/** How `npx vite examples/page` and `npx vite examples/react` serve their pages: beside a QPilot that runs already. */
import type { UserConfig } from 'vite';

/** Settings for a server, by default that of `QPILOT_URL` or of `npm start`. */
export function besideQPilot(target = process.env['QPILOT_URL'] ?? 'http://127.0.0.1:4000'): UserConfig {
  // It answers only pages of its own origin, so the proxy sends that one.
  const proxy = { '/graphql': { target, changeOrigin: true, ws: true, headers: { origin: target } } };
  return {
    define: { QPILOT_URL: JSON.stringify(target) },
    oxc: { jsx: { runtime: 'automatic' } },
    build: { chunkSizeWarningLimit: 2_000 },
    server: { port: 5174, proxy },
    preview: { proxy },
  };
}
