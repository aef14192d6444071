/** How much of each request its provider has read before: a conversation about a real device, over each adapter. */
import { expect, test } from '@jest/globals';
import { openCachedSession, TEN_ROUNDS } from '../support/cached-session.ts';
import { promptSegments, sharedShare } from '../support/caching-provider.ts';
import { describeWithSharedData } from '../support/shared-data.ts';
import { WIRES } from '../support/wire-bodies.ts';

describeWithSharedData('The requests of a conversation', () => {
  test.each(WIRES)(
    'begin with the whole of the one before within a turn (%s)',
    async (kind) => {
      const session = await openCachedSession(kind);
      try {
        await session.play('How healthy is the chip?', TEN_ROUNDS.slice(0, 3));
        const prompts = session.server.requests.map((request) => promptSegments(kind, request));
        expect(prompts).toHaveLength(4);
        for (const [at, earlier] of prompts.slice(0, -1).entries()) {
          expect({ at, share: sharedShare(earlier, prompts[at + 1]!) }).toEqual({ at, share: 1 });
        }
      } finally {
        await session.close();
      }
    },
    60_000,
  );
});
