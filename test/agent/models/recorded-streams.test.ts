/**
 * Every recorded conversation in every framing, over HTTP and up to the end of its turn. How each comes out whole is
 * written down in `recorded-streams.json`; in any other framing it comes out the same, asked once more where the
 * framing broke it. `npx jest recorded-streams` with RECORDED_STREAMS=file writes the table to that file.
 */
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWithSharedData } from '../../support/shared-data.ts';
import {
  bodiesOf,
  FRAMINGS,
  play,
  RECORDINGS,
  textOfBodies,
  type Played,
} from '../../support/stream-plays.ts';

/** `text` is `exact` where it is that of the recording, by a second reading of it. */
type Expected = Readonly<Record<string, Played>>;

/** Only stalled streams meet it. */
const SILENCE_MS = 300;

const nameOf = (files: readonly string[]): string =>
  files[0]!.replace(/^.*\//, '').replace(/(?:\.step1)?\.(?:sse|chunks\.txt)$/, '');

describeWithSharedData('A recorded conversation', () => {
  let expected: Expected;
  const rows: string[] = [];

  beforeAll(async () => {
    expected = JSON.parse(
      await readFile(new URL('recorded-streams.json', import.meta.url), 'utf8'),
    ) as Expected;
  });
  afterAll(() => {
    const file = process.env['RECORDED_STREAMS'];
    if (file !== undefined) writeFileSync(file, `${rows.join('\n')}\n`);
  });

  test.each(RECORDINGS.map((each) => [nameOf(each.files), each] as const))(
    '%s',
    async (name, recording) => {
      const bodies = await bodiesOf(recording);
      const text = textOfBodies(bodies);
      const of = expected[name]!;
      for (const framing of FRAMINGS) {
        const limits = framing.name.startsWith('stall') ? { modelSilenceMs: SILENCE_MS } : {};
        const played = await play(recording, bodies, framing, { limits });
        const shown = { ...played, text: played.text === text ? 'exact' : played.text };
        rows.push([name, framing.name, JSON.stringify(shown)].join(' | '));
        if (framing.name === 'whole') {
          expect(shown).toEqual(of);
          continue;
        }
        const { status, error, text: words, calls, ends, requests } = shown;
        const again = requests - of.requests;
        // What broke is asked for once more, and its usage is guessed.
        expect({ framing: framing.name, status, error, text: words, calls, ends: ends.slice(again) }).toEqual(
          {
            framing: framing.name,
            status: of.status,
            error: of.error,
            text: of.text,
            calls: of.calls,
            ends: of.ends,
          },
        );
        expect(ends.slice(0, again)).toEqual(
          Array.from({ length: again }, () => expect.stringMatching(/^(?:BROKEN_STREAM|UNAVAILABLE)$/)),
        );
        expect(again).toBeLessThanOrEqual(framing.isBroken === true ? 1 : 0);
        if (framing.isBroken !== true) expect(shown.usage).toEqual(of.usage);
      }
    },
    120_000,
  );
});
