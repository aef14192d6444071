import { describe, expect, test } from '@jest/globals';
import { readDraft, writeDraft } from '../../../client/features/jobs/new/form-draft.ts';
import type { ShownProblem } from '../../../client/features/jobs/new/field.ts';
import {
  jobInputOf,
  problemsOf,
  requestOf,
  type FormProblem,
} from '../../../client/features/jobs/new/form-input.ts';
import { changeForm, EMPTY_FORM, type JobForm } from '../../../client/features/jobs/new/form-state.ts';
import { problemOfIssue } from '../../../client/features/jobs/new/refusal.ts';

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
  const beside = { instructions: { id: 'u', name: 'n' }, config: null };
  test.each<[string, JobForm, readonly FormProblem['problem'][]]>([
    ['nothing', form, []],
    ['an expert that was removed', { ...form, expert: { ...expert, expertId: 'gone' } }, ['EXPERT_GONE']],
    ['no words', { ...form, description: ' \n' }, ['DESCRIPTION_BLANK']],
    ['too many words', { ...form, description: 'x'.repeat(2_001) }, ['DESCRIPTION_LONG']],
    ['no instructions', { ...form, instructions: '' }, ['INSTRUCTIONS_BLANK']],
    ['a file in their place', { ...form, instructions: '', uploads: beside }, []],
    [
      'blank instructions beside a file',
      { ...form, instructions: ' ', uploads: beside },
      ['INSTRUCTIONS_BLANK'],
    ],
    ['too many bytes', { ...form, instructions: 'é'.repeat(100_001) }, ['INSTRUCTIONS_LONG']],
    ['too hot', hot, ['TEMPERATURE_RANGE']],
  ])('%s', (_name, given, problems) => {
    expect(problemsOf(given, ['writer']).map(({ problem }) => problem)).toEqual(problems);
  });

  test.each<[readonly string[], ShownProblem]>([
    [['input', 'description'], { field: 'description', text: 'is wrong' }],
    [['input', 'configOverride', 'llm', 'temperature'], { field: 'temperature', text: 'is wrong' }],
    [['input', 'configOverride', 'llm', 'model'], { field: 'model', text: 'is wrong' }],
    [['input', 'configOverride', 'tools', 'sql', '0'], { field: 'tools', text: 'sql.0 is wrong' }],
    [['input', 'configOverride', 'other'], { field: null, text: 'configOverride.other is wrong' }],
    [['input', 'configUploadId', 'llm', 'model'], { field: 'uploads', text: 'llm.model is wrong' }],
    [['input', 'idempotencyKey'], { field: null, text: 'idempotencyKey is wrong' }],
    [['input'], { field: null, text: 'is wrong' }],
  ])('what the server says of %j is said at its field', (path, shown) => {
    expect(problemOfIssue({ path, message: 'is wrong' })).toEqual(shown);
  });
});

test.each([null, '', '{', '[]', '{"expert":1}'])('what is no draft is none: %s', (text) => {
  expect(readDraft(text)).toBeNull();
});
