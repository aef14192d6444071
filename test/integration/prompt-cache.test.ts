/** How much of each request its provider has read before: a conversation about a real device, over each adapter. */
import { expect, test } from '@jest/globals';
import { openCachedSession, TEN_ROUNDS } from '../support/cached-session.ts';
import { promptSegments, sharedShare } from '../support/caching-provider.ts';
import { describeWithSharedData } from '../support/shared-data.ts';
import { WIRES } from '../support/wire-bodies.ts';

describeWithSharedData('The requests of a conversation', () => {
  test.each(WIRES)(
    'begin with the whole of the one before, within a turn and from turn to turn (%s)',
    async (kind) => {
      const session = await openCachedSession(kind);
      try {
        await session.play('How healthy is the chip?', TEN_ROUNDS.slice(0, 3));
        await session.play('And its couplings?', TEN_ROUNDS.slice(6, 8));
        await session.play('Q95 の T1 は?', []);
        await session.play('Thanks. What of T2?', TEN_ROUNDS.slice(2, 3));
        const prompts = session.server.requests.map((request) => promptSegments(kind, request));
        const shares = prompts.slice(1).map((later, at) => sharedShare(prompts[at]!, later));
        expect(shares).toEqual(Array.from({ length: 9 }, () => 1));
      } finally {
        await session.close();
      }
    },
    60_000,
  );

  test.each([
    ['responses', 0.085],
    ['chat', 0.085],
    ['anthropic', 0.03],
    ['gemini', 0.03],
  ] as const)(
    'fit ten rounds of plausible results into the default budget, for cents (%s)',
    async (kind, mostUsd) => {
      const session = await openCachedSession(kind);
      try {
        const { status, usage } = await session.play('How healthy is the chip?', TEN_ROUNDS);
        expect({ status, requests: session.server.requests.length }).toEqual({
          status: 'COMPLETED',
          requests: 11,
        });
        expect(usage.chargedTokens).toBeLessThan(60_000);
        expect(usage.totalTokens).toBeGreaterThan(80_000);
        expect(usage.costUsd).toBeLessThan(mostUsd);
      } finally {
        await session.close();
      }
    },
    60_000,
  );
});
