/**
 * How much of each request its provider has read before: a conversation about a real device, over each adapter.
 * `PROMPT_CACHE=folder npx jest prompt-cache.test` writes the requests of a turn of three rounds to `requests-API.json`, and
 * what ten rounds cost to `costs.md`.
 */
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { inTable } from '../../src/agent/models/capabilities.ts';
import { priceOf } from '../../src/agent/turn/settings-limits.ts';
import { openCachedSession, TEN_ROUNDS } from '../support/cached-session.ts';
import { promptSegments, sharedShare } from '../support/caching-provider.ts';
import { shippedModelTable } from '../support/known-models.ts';
import { describeWithSharedData } from '../support/shared-data.ts';
import { WIRES, type SaidUsage, type WireKind } from '../support/wire-bodies.ts';

const folder = process.env['PROMPT_CACHE'] ?? null;

/** The default models, whose prices the table of models knows; Ollama's have none. */
const MODELS = {
  responses: 'gpt-4.1',
  chat: 'gpt-4.1',
  anthropic: 'claude-haiku-4-5-20251001',
  gemini: 'gemini-3.8-flash',
  ollama: 'qwen3:8b',
} as const;

/** What comes back of each thought: Gemini keeps them, and has their signatures returned. */
const thoughtsIn = (kind: WireKind, request: object): number =>
  JSON.stringify(request).match(
    kind === 'gemini' ? /"thoughtSignature":"c2lnbmVk"/g : /Round \d needs [a-z_ ]+\./g,
  )?.length ?? 0;

describeWithSharedData('The requests of a conversation', () => {
  beforeAll(() => {
    if (folder === null) return;
    mkdirSync(folder, { recursive: true });
    rmSync(join(folder, 'costs.md'), { force: true });
    const head = ['API', 'model', 'requests', 'input', 'cached', 'without a cache', 'with it', 'share'];
    const lines = [head, head.map(() => '---')].map((cells) => `| ${cells.join(' | ')} |\n`);
    appendFileSync(join(folder, 'costs.md'), lines.join(''));
  });

  test.each(WIRES)(
    'begin with the whole of the one before, within a turn and from turn to turn (%s)',
    async (kind) => {
      const session = await openCachedSession(kind);
      try {
        await session.play('How healthy is the chip?', TEN_ROUNDS.slice(0, 3));
        const { requests } = session.server;
        if (folder !== null)
          writeFileSync(join(folder, `requests-${kind}.json`), JSON.stringify(requests, null, 2));
        expect(requests.map((request) => thoughtsIn(kind, request))).toEqual([0, 1, 2, 3]);
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
    ['ollama', null],
  ] as const)(
    'fit ten rounds of plausible results into the default budget, for cents (%s)',
    async (kind, mostUsd) => {
      const session = await openCachedSession(kind);
      try {
        const { status, usage } = await session.play('How healthy is the chip?', TEN_ROUNDS);
        const { requests, usages } = session.server;
        const isFree = mostUsd === null;
        // Ollama says nothing of what it keeps, so that every token counts whole and the turn concludes early.
        expect({ status, isWhole: requests.length === 11 }).toEqual({
          status: 'COMPLETED',
          isWhole: !isFree,
        });
        expect(usage.chargedTokens ?? usage.totalTokens).toBeLessThan(60_000);
        if (isFree) expect(usage.costUsd).toBeNull();
        else expect(usage.costUsd).toBeLessThan(mostUsd);
        if (folder !== null) appendFileSync(join(folder, 'costs.md'), costRow(kind, usages, usage.costUsd));
      } finally {
        await session.close();
      }
    },
    60_000,
  );
});

/** A row of the table: input, what of it was cached, and the price with and without a cache. */
function costRow(kind: WireKind, usages: readonly SaidUsage[], costUsd: number | null): string {
  const sum = (of: (usage: SaidUsage) => number) => usages.reduce((total, usage) => total + of(usage), 0);
  const input = sum(({ fresh, cached, written }) => fresh + cached + written);
  const cached = sum((usage) => usage.cached);
  const whole = { inputTokens: input, cachedTokens: 0, outputTokens: sum(({ output }) => output) };
  const price = inTable(shippedModelTable, MODELS[kind])?.facts.price ?? null;
  const before = priceOf(price, whole);
  const cents = (usd: number | null) => (usd === null ? '–' : `${(100 * usd).toFixed(2)} ¢`);
  const share = before === null || costUsd === null ? '–' : `${Math.round((100 * costUsd) / before)} %`;
  const cells = [kind, MODELS[kind], usages.length, input, cached, cents(before), cents(costUsd), share];
  return `| ${cells.join(' | ')} |\n`;
}
