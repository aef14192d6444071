import { describe, expect, test } from '@jest/globals';
import { readDraft, writeDraft } from '../../../client/features/jobs/new/form-draft.ts';
import { jobInputOf, problemsOf, requestOf } from '../../../client/features/jobs/new/form-input.ts';
import { changeForm, EMPTY_FORM, type JobForm } from '../../../client/features/jobs/new/form-state.ts';

const config = { llm: { temperature: 0 }, tools: { sql: ['sql_query'] } };
const expert = { expertId: 'writer', displayName: 'Writer', instructions: '# Writer', config };
const form: JobForm = { ...EMPTY_FORM, expert, config, instructions: '# Writer', description: ' Write. ' };
const hot = changeForm(form, { type: 'setting', path: ['llm', 'temperature'], value: 3 });

describe('what is sent of the form', () => {
  test('is what differs from the expert, and nothing else', () => {
    expect(jobInputOf(form)).toMatchObject({
      description: 'Write.',
      instructions: null,
      configOverride: null,
    });
    expect(jobInputOf(hot).configOverride).toEqual({ llm: { temperature: 3 } });
    expect(jobInputOf({ ...form, instructions: '# Mine\r\n' }).instructions).toBe('# Mine\r\n');
  });

  test('is all of it where the builder wrote, whose last word would otherwise count', () => {
    expect(jobInputOf({ ...form, builderSessionId: 's' })).toMatchObject({
      instructions: '# Writer',
      configOverride: {},
    });
  });

  test('has the key of the last attempt while it is the same, also after a reload', () => {
    const first = requestOf(form, 'one');
    const tried = changeForm(form, {
      type: 'submit',
      key: first.input.idempotencyKey,
      content: first.content,
    });
    const kept = readDraft(writeDraft(tried));
    expect(kept).toMatchObject({ lock: null, attempt: { key: 'one' } });
    expect(requestOf(kept!, 'two').input.idempotencyKey).toBe('one');
    expect(requestOf({ ...kept!, description: 'Other.' }, 'two').input.idempotencyKey).toBe('two');
  });
});

describe('what is wrong with the form', () => {
  test.each<[string, JobForm, readonly string[]]>([
    ['nothing', form, []],
    ['no words', { ...form, description: ' \n' }, ['description BLANK']],
    ['too many words', { ...form, description: 'x'.repeat(2_001) }, ['description TOO_LONG']],
    ['no instructions', { ...form, instructions: '' }, ['instructions BLANK']],
    [
      'a file in their place',
      { ...form, instructions: '', uploads: { instructions: { id: 'u', name: 'n' }, config: null } },
      [],
    ],
    [
      'blank instructions beside a file',
      { ...form, instructions: ' ', uploads: { instructions: { id: 'u', name: 'n' }, config: null } },
      ['instructions BLANK'],
    ],
    ['too many bytes', { ...form, instructions: 'é'.repeat(100_001) }, ['instructions TOO_LONG']],
    ['too hot', hot, ['temperature OUT_OF_RANGE']],
  ])('%s', (_name, given, problems) => {
    expect(problemsOf(given).map(({ field, problem }) => `${field} ${problem}`)).toEqual(problems);
  });
});

test.each([null, '', '{', '[]', '{"expert":1}'])('what is no draft is none: %s', (text) => {
  expect(readDraft(text)).toBeNull();
});
