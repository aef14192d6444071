import { withReadableError } from './error-body.ts';
import { gatheredBytes } from './gathered-bytes.ts';

/** `fetch` for the SDKs of providers: errors have the form that they read, and bytes can be listened to. */
export const fetchFromProvider = async (
  input: string | URL | Request,
  init?: RequestInit,
): Promise<Response> => withHeardBytes(await withReadableError(await fetch(input, init)));

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
  const body = gatheredBytes(response.body, () => listener.heard());
  const { status, statusText, headers } = response;
  const heard = new Response(body, { status, statusText, headers });
  listeners.set(heard, listener);
  return heard;
}
