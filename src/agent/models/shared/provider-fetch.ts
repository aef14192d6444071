/** A provider that asks for a longer pause than this is not waited for: the turn would look dead meanwhile. */
const LONGEST_PAUSE_MS = 20_000;

/**
 * `fetch` for the SDKs of providers. They obey any `retry-after`; here a long one ends their retries, so that the
 * failure is reported, or the fallback asked, at once.
 */
export async function fetchFromProvider(
  input: string | URL | Request,
  init?: RequestInit,
): Promise<Response> {
  const response = withHeardBytes(await fetch(input, init));
  const pauseMs = pauseAskedMs(response.headers);
  if (pauseMs === null || pauseMs <= LONGEST_PAUSE_MS) return response;
  const headers = new Headers(response.headers);
  headers.set('x-should-retry', 'false');
  const { body, status, statusText } = response;
  return new Response(body, { status, statusText, headers });
}

/** Called for each chunk of a body as it comes from the network, by the response that `fetchFromProvider` gave. */
const listeners = new WeakMap<Response, { heard: () => void }>();

/**
 * Calls `heard` whenever bytes of this response come in. The SDKs pass over pings and comments, and a call's arguments
 * make no event until they are whole; all of these show that the model is at work.
 */
export function listenToBytes(response: Response, heard: () => void): void {
  const listener = listeners.get(response);
  if (listener !== undefined) listener.heard = heard;
}

function withHeardBytes(response: Response): Response {
  if (!response.ok || response.body === null) return response;
  const listener = { heard: () => {} };
  const body = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        listener.heard();
        controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  const heard = new Response(body, { status, statusText, headers });
  listeners.set(heard, listener);
  return heard;
}

/** The pause that an answer asks for, in milliseconds; null where it asks for none. */
export function pauseAskedMs(headers: Headers): number | null {
  const exact = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (Number.isFinite(exact)) return exact;
  const given = headers.get('retry-after');
  if (given === null) return null;
  const seconds = Number(given);
  const pauseMs = Number.isNaN(seconds) ? Date.parse(given) - Date.now() : seconds * 1000;
  return Number.isFinite(pauseMs) ? pauseMs : null;
}
