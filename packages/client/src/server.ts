import { QPilotError } from './errors.ts';

/** Where a server is, and who asks. */
export type ServerOptions = {
  /** Its address, with or without `/graphql`; in a browser by default where the page is from. */
  readonly url?: string | undefined;
  /** An API key or another token; null or absent where it needs none, and in a browser that has its cookie. */
  readonly token?: string | null | undefined;
  /** The project to work in; needed where the caller has several. */
  readonly projectId?: string | null | undefined;
  /** Default: that of the runtime. */
  readonly fetch?: typeof fetch | undefined;
  /** Default: that of the runtime. Node 20 has none: give `WebSocket` of the package `ws`. */
  readonly webSocket?: unknown;
};

/** {@link ServerOptions} after they were checked. */
export type Server = {
  /** Without a slash at its end. */
  readonly url: string;
  readonly token: string | null;
  readonly projectId: string | null;
  readonly fetch: typeof fetch;
  readonly webSocket: unknown;
};

/** @throws QPilotError for what is no http address */
export function readServer(options: ServerOptions): Server {
  const given = options.url ?? globalThis.location?.origin;
  return {
    url: addressOf(given),
    token: options.token ?? null,
    projectId: options.projectId ?? null,
    fetch: options.fetch ?? ((...args) => fetch(...args)),
    webSocket: options.webSocket ?? globalThis.WebSocket,
  };
}

function addressOf(given: string | undefined): string {
  try {
    const { protocol, origin, pathname } = new URL(given ?? '');
    if (/^https?:$/.test(protocol)) return origin + pathname.replace(/\/(graphql\/?)?$/, '');
  } catch {
    // told below
  }
  throw new QPilotError(
    'INVALID_URL',
    given === undefined
      ? 'url is missing: give the http address of the server'
      : `${JSON.stringify(given)} is not an http address`,
  );
}
