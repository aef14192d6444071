import { describe, expect, test } from '@jest/globals';
import {
  EMPTY_FORM,
  readDraft,
  withSetting,
  type JobForm,
} from '../../../client/features/jobs/new/job-form.ts';
import {
  errorsOfIssues,
  jobInputOf,
  problemsOf,
  requestOf,
  type FormProblem,
} from '../../../client/features/jobs/new/job-input.ts';

const config = { llm: { temperature: 0 }, tools: { sql: ['sql_query'] } };
const expert = { expertId: 'writer', displayName: 'Writer', instructions: '# Writer', config };
const form: JobForm = { ...EMPTY_FORM, expert, config, instructions: '# Writer', description: ' Write. ' };
const hot = withSetting(form, ['llm', 'temperature'], 3);

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
    const attempt = { key: first.input.idempotencyKey, content: first.content };
    const kept = readDraft(JSON.stringify({ ...form, lock: 'SUBMIT', attempt }));
    expect(kept).toMatchObject({ lock: null, attempt: { key: 'one' } });
    expect(requestOf(kept!, 'two').input.idempotencyKey).toBe('one');
    expect(requestOf({ ...kept!, description: 'Other.' }, 'two').input.idempotencyKey).toBe('two');
  });
});

describe('what is wrong with the form', () => {
  const beside = { instructions: { id: 'u', name: 'n' }, config: null };
  test.each<[string, JobForm, readonly FormProblem[]]>([
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
    expect(Object.values(problemsOf(given, ['writer']))).toEqual(problems);
  });

  test.each<[readonly string[], Readonly<Record<string, string>>]>([
    [['input', 'description'], { description: 'is wrong' }],
    [['input', 'configOverride', 'llm', 'temperature'], { 'config.llm.temperature': 'is wrong' }],
    [['input', 'configOverride', 'llm', 'model'], { 'config.llm.model': 'is wrong' }],
    [['input', 'configOverride', 'tools', 'sql', '0'], { 'config.tools': 'sql.0 is wrong' }],
    [['input', 'configOverride', 'other'], { 'form.0': 'configOverride.other is wrong' }],
    [['input', 'configUploadId', 'llm', 'model'], { uploads: 'llm.model is wrong' }],
    [['input', 'idempotencyKey'], { 'form.0': 'idempotencyKey is wrong' }],
    [['input'], { 'form.0': 'is wrong' }],
  ])('an issue at %j is shown at its field', (path, errors) => {
    expect(errorsOfIssues([{ path, message: 'is wrong' }])).toEqual(errors);
  });

  test('of several issues of a field the first is shown, and those of no field all are', () => {
    const issues = ['description', 'key', 'description', 'other'].map((argument, index) => ({
      path: ['input', argument],
      message: String(index),
    }));
    expect(Object.entries(errorsOfIssues(issues))).toEqual([
      ['description', '0'],
      ['form.1', 'key 1'],
      ['form.3', 'other 3'],
    ]);
  });
});

test.each([null, '', '{', '[]', '1', 'null', '{"expert":1}'])('what is no draft is none: %s', (text) => {
  expect(readDraft(text)).toBeNull();
});
