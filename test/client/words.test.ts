/** The catalogues of the pages: one has what the other has, each in its own language. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { words as english } from '../../client/lib/i18n/en/words.ts';
import { serverNames } from '../../client/lib/i18n/ja/server-names.ts';
import { words as japanese } from '../../client/lib/i18n/ja/words.ts';
import { TURN_PHASES } from '../../src/domain/conversation/session-event.ts';
import { TOOL_CATALOGUE } from '../../src/domain/tool-catalogue.ts';
import { TOOL_CATEGORIES, toolAvailability } from '../../src/experts/tool-categories.ts';
import { shippedMetrics } from '../support/catalogue.ts';
import { leavesOf, textsOf } from '../support/catalogue-words.ts';

/** Keys, names of companies and products, and signs are the same in every language. */
const SAME =
  /^(?:Ctrl\+K|Anthropic|Gemini|OpenAI|Ollama|Slack|Microsoft Teams|Mattermost|[A-Zσ]{1,4}|Markdown|MongoDB|PostgreSQL|Python|ToDo|[^\p{L}]*)$/u;

const expert = z.object({ display_name: z.string(), description: z.string(), tags: z.array(z.string()) });
const presets = z.record(z.string(), z.object({ title: z.string(), description: z.string() }));

describe('the texts of the pages', () => {
  test('are there in both languages', () => {
    expect(leavesOf(japanese).map(([path]) => path)).toEqual(leavesOf(english).map(([path]) => path));
  });

  test('are Japanese in the Japanese catalogue', () => {
    const left = textsOf(japanese).filter(
      ([, text]) => !/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(text) && !SAME.test(text),
    );
    expect(left).toEqual([]);
  });

  test('are not Japanese in the English one', () => {
    expect(
      textsOf(english).filter(([, text]) => /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)),
    ).toEqual([]);
  });

  test('name in Japanese each tool, each kind of tools and each phase that the server names in English', () => {
    const named = [
      ...TOOL_CATALOGUE.map(({ name }) => [name, serverNames.tools[name]]),
      ...TOOL_CATEGORIES.map(({ name }) => [name, serverNames.toolCategories[name]?.title]),
      ...TURN_PHASES.map((phase) => [phase, serverNames.activities[phase]]),
    ];
    expect(named.filter(([, name]) => name === undefined)).toEqual([]);
  });

  test('name each metric of the catalogue in Japanese, but for those with a symbol for a name', () => {
    const titles = shippedMetrics.metrics.map(({ title }) => title);
    expect(titles.filter((title) => serverNames.metrics[title] === undefined)).toEqual(['T1']);
  });

  test('say in Japanese what the shipped experts and presets are, and why a tool cannot be used', () => {
    const read = (path: string): unknown => parse(readFileSync(join('config', path), 'utf8'));
    const folders = readdirSync('config/experts', { withFileTypes: true }).filter((it) => it.isDirectory());
    const files = ['experts/defaults.yaml', ...folders.map(({ name }) => `experts/${name}/config.yaml`)];
    const setup = {
      hasWebSearch: false,
      hasLiveSource: false,
      hasLabServers: false,
      datasources: new Set<never>(),
    };
    const texts = [
      ...files.flatMap((file) => {
        const { display_name, description, tags } = expert.parse(read(file));
        return [display_name, description, ...tags];
      }),
      ...Object.values(presets.parse(read('presets.yaml'))).flatMap(Object.values),
      ...TOOL_CATEGORIES.flatMap((category) =>
        category.tools.flatMap((tool) => {
          const availability = toolAvailability(category, tool, setup);
          return availability.available ? [] : [availability.reason];
        }),
      ),
    ];
    expect(texts.length).toBeGreaterThan(30);
    expect(texts.filter((text) => serverNames.texts[text] === undefined)).toEqual([]);
  });
});
