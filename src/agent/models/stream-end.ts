/** The last line of a Chat Completions stream. The SDK keeps it to itself. */
const DONE_LINE = /[\r\n]data: ?\[DONE\]/;
const TAIL_LENGTH = 64;

/** A response whose body is watched while it is read. */
export type WatchedResponse = {
  readonly response: Response;
  /** Whether `[DONE]` has come: without it, an end looks the same as a connection that was cut between two events. */
  readonly isDone: () => boolean;
};

/** Reading the watched response reads the given one; leaving it early closes the given one. */
export function watchEnd(response: Response): WatchedResponse {
  const decoder = new TextDecoder('latin1');
  let tail = '\n';
  let done = false;
  const watch = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      tail += decoder.decode(chunk);
      done ||= DONE_LINE.test(tail);
      tail = tail.slice(-TAIL_LENGTH);
      controller.enqueue(chunk);
    },
  });
  const { status, headers } = response;
  const body = response.body?.pipeThrough(watch) ?? null;
  return { response: new Response(body, { status, headers }), isDone: () => done };
}
