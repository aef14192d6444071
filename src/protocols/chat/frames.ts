/** Server-sent events of a turn, which a client can leave at any of them and go on from. */

/** What one protocol sends for a turn, in order: JSON, with the place in the log that it was made from; null if from none. */
export type PlacedFrame = { readonly seq: number | null; readonly data: object };

/** The last frame of a stream that ends before its turn does. */
export const BROKEN_OFF = {
  code: 'NOT_FOLLOWED',
  message: 'the answer cannot be followed here any longer; send the same request again to go on',
};

/** Between two frames. */
type Place = readonly [seq: number, nth: number];

/** The place after the frame with this id, which a client sends as `Last-Event-ID`; null if it is none. */
export function placeOf(id: string): Place | null {
  const found = /^(\d{1,15})\.(\d{1,6})$/u.exec(id);
  return found ? [Number(found[1]), Number(found[2])] : null;
}

/** The frames behind `after` as the lines of an event stream; each id is that of the log's event and a count. */
export async function* eventLines(
  frames: AsyncIterable<PlacedFrame>,
  after: Place | null,
  last: string,
): AsyncGenerator<string> {
  let [seq, nth] = [-1, 0];
  for await (const frame of frames) {
    if (frame.seq === null) {
      yield dataLine(frame);
      continue;
    }
    nth = frame.seq === seq ? nth + 1 : 0;
    seq = frame.seq;
    if (after !== null && (seq < after[0] || (seq === after[0] && nth <= after[1]))) continue;
    yield `id: ${seq}.${nth}\n${dataLine(frame)}`;
  }
  yield last;
}

const dataLine = ({ data }: PlacedFrame): string => `data: ${JSON.stringify(data)}\n\n`;
