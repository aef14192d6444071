/** The catalogues of the pages: one has what the other has, each in its own language. */
import { describe, expect, test } from '@jest/globals';
import { words as english } from '../../client/lib/i18n/en/words.ts';
import { serverNames } from '../../client/lib/i18n/ja/server-names.ts';
import { words as japanese } from '../../client/lib/i18n/ja/words.ts';
import { TURN_PHASES } from '../../src/domain/conversation/session-event.ts';
import { TOOL_CATALOGUE } from '../../src/domain/tool-catalogue.ts';
import { TOOL_CATEGORIES } from '../../src/experts/tool-categories.ts';
import { leavesOf, textsOf } from '../support/catalogue-words.ts';

/** Keys, names of companies and products, and signs are the same in every language. */
const SAME =
  /^(?:Ctrl\+K|Anthropic|Gemini|OpenAI|Ollama|[A-Zσ]{1,4}|Markdown|MongoDB|PostgreSQL|Python|ToDo|[^\p{L}]*)$/u;

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
});
