/** The eval with a model behind an address, as with any provider: what it says is scored, and what it costs is reported. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { evaluate } from './evaluate.ts';
import { choose, makeQuestions } from './questions/make-questions.ts';
import type { Question } from './questions/question.ts';
import { missText, reportJson, tableText, tally } from './report.ts';
import { frames, startModelServer, type ModelServer, type Reply } from '../support/model-server.ts';
import { openTestLab, type TestLab } from './support/test-lab.ts';

const TOKENS_OF_ALL = 150_000;

let server: ModelServer;
let lab: TestLab;
/** What the model says to a question, and the tokens that it says it took. */
let say: (asked: string) => { readonly text: string; readonly inputTokens: number };

beforeAll(async () => {
  server = await startModelServer((index) => replyTo(server.requests[index] ?? {}));
  lab = await openTestLab({ OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'a-key' }, TOKENS_OF_ALL);
});

afterAll(async () => {
  await lab.close();
  await server.close();
});

function replyTo({ messages }: Readonly<Record<string, unknown>>): Reply {
  const asked = (messages as { role: string; content: string }[]).findLast(({ role }) => role === 'user');
  const { text, inputTokens } = say(asked?.content ?? '');
  const chunk = (delta: object, finish_reason: string | null) => ({
    choices: [{ index: 0, delta, finish_reason }],
  });
  const usage = { prompt_tokens: inputTokens, completion_tokens: 100, total_tokens: inputTokens + 100 };
  const body = frames(chunk({ content: text }, null), chunk({}, 'stop'), { choices: [], usage });
  return { body: `${body}data: [DONE]\n\n` };
}

const lookups = (count: number): readonly Question[] =>
  choose(makeQuestions(lab.source, 1, 'known'), 'lookup', count);

const ask = (questions: readonly Question[], atOnce = 2) =>
  evaluate(lab, { questions, model: 'gpt-4.1', atOnce, signal: new AbortController().signal });

/** The values that a right answer gives, said in plain words. */
function rightAnswer(question: Question): string {
  const values = question.checks.flatMap((check) => (check.type === 'values' ? check.values : []));
  return values
    .map(
      ({ subject, parameter, value, unit }) =>
        `The ${parameter} of Q${subject} is ${value.toFixed(4)} ${unit}.`,
    )
    .join('\n');
}

test('right answers have all points, and tokens and cost are those of the provider', async () => {
  const questions = lookups(4);
  say = (asked) => {
    // The context of a turn comes before its question.
    const question = questions.find(({ messages }) => asked.endsWith(messages.at(-1)!));
    return { text: question === undefined ? 'I do not know.' : rightAnswer(question), inputTokens: 1000 };
  };
  const results = await ask(questions);
  expect(results.map(({ points, faults }) => ({ points, faults }))).toEqual(
    questions.map(() => ({ points: 1, faults: [] })),
  );
  const all = tally(results);
  expect(all).toMatchObject({ questions: 4, score: 1, rounds: 1, tokens: 1100 });
  // USD 2 and 8 for a million tokens in and out.
  expect(all.costUsd).toBeCloseTo(4 * (0.002 + 0.0008), 9);
  expect(tableText(results)).toMatch(/^all +4 +1\.000 +1\.0 +1100 .* 0\.0112$/mu);
});

test('invented answers have none, and each miss says what was expected and what came', async () => {
  say = () => ({ text: 'It is 12.34 μs for Q0.', inputTokens: 1000 });
  const [result] = await ask(lookups(1));
  expect(result?.points).toBe(0);
  const text = missText(result!);
  expect(text).toContain(`asked    ${result?.question.messages[0]}`);
  expect(text).toMatch(/expected \w+ of \d+ = -?[\d.]+ (?:μs|%|GHz|MHz)/u);
  expect(text).toContain('got      It is 12.34 μs for Q0.');
  expect(JSON.parse(reportJson([result!], { model: 'gpt-4.1' }))).toMatchObject({
    model: 'gpt-4.1',
    all: { score: 0 },
    kinds: { lookup: { questions: 1 } },
  });
});

test('what all questions together may take is a limit; those after it fail with the reason', async () => {
  say = () => ({ text: 'Fine.', inputTokens: 40_000 });
  const results = await ask(lookups(6), 1);
  expect(results.at(0)?.asking).toMatchObject({ failure: null, text: 'Fine.' });
  expect(results.at(-1)?.asking.failure).toMatch(/budget|tokens/iu);
  expect(results.at(-1)?.points).toBe(0);
});
