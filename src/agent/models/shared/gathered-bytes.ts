import { windowEnd } from '../../pace.ts';

/** Chunks that pass at once: the first words are among them. */
const FIRST_CHUNKS = 4;
/** Bytes that are not held any longer: about 40 tokens as events of JSON. */
const MOST_HELD_BYTES = 8_192;

/**
 * The same bytes in fewer chunks: behind the first ones, what comes within a window is one chunk, so that a token that
 * comes alone costs little more than its bytes. The end holds nothing back, nor does a failure, which comes behind the
 * bytes before it. `heard` is called as bytes come in.
 */
export function gatheredBytes(
  body: ReadableStream<Uint8Array>,
  heard: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let reading: Promise<ReadableStreamReadResult<Uint8Array>> | null = null;
  let passed = 0;

  /** Until there is something to pass on; `isDone` behind the last bytes. */
  const gather = async () => {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    let end: Promise<null> | null = null;
    for (;;) {
      reading ??= reader.read();
      // A failure is thrown by the next call, behind what arrived before it.
      const result = end === null ? await reading : await Promise.race([reading, end]).catch(() => null);
      if (result === null) return { chunks, isDone: false };
      reading = null;
      if (result.done) return { chunks, isDone: true };
      heard();
      chunks.push(result.value);
      bytes += result.value.length;
      passed += 1;
      if (passed <= FIRST_CHUNKS || bytes >= MOST_HELD_BYTES) return { chunks, isDone: false };
      end ??= windowEnd();
    }
  };
  return new ReadableStream(
    {
      async pull(controller) {
        const { chunks, isDone } = await gather();
        const [first, ...others] = chunks;
        if (first !== undefined) controller.enqueue(others.length === 0 ? first : Buffer.concat(chunks));
        if (isDone) controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
