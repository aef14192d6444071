/**
 * Twenty questions that a lab asks, put to five labs, answered three ways: through GraphQL over HTTP, by the tools as
 * the agent calls them, and by a computation of its own from the files and documents. All three must agree.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { post } from '../../support/graphql-client.ts';
import type { QdashAge } from '../../support/qdash-ages.ts';
import { AGED_CHIP } from '../../support/qdash-ages.ts';
import { describeWithSharedData } from '../../support/shared-data.ts';
import { argumentsOf } from '../../support/tool-bench.ts';
import { middle, newestOf } from './lab-record.ts';
import { rounded, type Answer, type Question } from './question.ts';
import { QUESTIONS_ABOUT_CHANGE } from './questions-about-change.ts';
import { QUESTIONS_ABOUT_RECORDS } from './questions-about-records.ts';
import { QUESTIONS_ABOUT_VALUES } from './questions-about-values.ts';
import { DEVICES, openAged, openDevices, type Source } from './sources.ts';

const QUESTIONS = [...QUESTIONS_ABOUT_VALUES, ...QUESTIONS_ABOUT_CHANGE, ...QUESTIONS_ABOUT_RECORDS];

test('there are twenty questions', () => {
  expect(new Set(QUESTIONS.map(({ asked }) => asked)).size).toBe(20);
});

describeWithSharedData('real devices', () => {
  let source: Source;
  beforeAll(async () => {
    source = await openDevices();
  });
  afterAll(() => source.close());

  test.each([
    ['manila', [144.673, 54.361, 97.81]],
    ['auckland', [135.033, 133.967, 99.2]],
    ['brisbane', [231.953, 150.04, 97.998]],
  ])('%s has the medians that its README says', (device, medians) => {
    const { record } = source.labs.get(device)!;
    const own = ['t1', 't2_echo', 'average_readout_fidelity'].map((parameter) =>
      middle(newestOf(record, parameter).map(({ value }) => value)),
    );
    own.forEach((median, index) => expect(median).toBeCloseTo(medians[index]!, 2));
  });

  describe.each(DEVICES)('%s', (device) => {
    askAll(() => source, device);
  });
});

describe.each<QdashAge>(['V1', 'HEAD'])('a database of QDash %s', (age) => {
  let source: Source;
  beforeAll(async () => {
    source = await openAged(age);
  });
  afterAll(() => source.close());

  askAll(() => source, AGED_CHIP);
});

function askAll(sourceOf: () => Source, name: string): void {
  test.each(QUESTIONS.map((question) => [question.asked, question] as const))(
    '%s',
    async (_asked, question) => {
      const { url, labs } = sourceOf();
      const lab = labs.get(name)!;
      const expected = question.expected(lab.record);
      expect(rounded(await overGraphql(url, question, lab), 9)).toEqual(rounded(expected, 9));
      expect(rounded(await byTool(question, lab), 4)).toEqual(rounded(expected, 4));
    },
  );
}

type Lab = NonNullable<ReturnType<Source['labs']['get']>>;

async function overGraphql(url: string, question: Question, { record }: Lab): Promise<Answer> {
  const { query, answer } = question.overGraphql(record);
  const { data, errors } = await post(url, query, {
    variables: { chip: record.chipId },
    headers: { 'x-project-id': record.projectId },
  });
  expect(errors).toEqual([]);
  return answer(data);
}

async function byTool(question: Question, { record, bench }: Lab): Promise<Answer> {
  const { tool, args, answer } = question.byTool(record);
  const ending = await bench.call(tool, argumentsOf(tool, args));
  expect(ending.error).toBeNull();
  const read = JSON.parse(ending.output) as {
    data: { data_key?: string };
    formattedSummary: string;
    freshness: { oldestAt: string; newestAt: string };
  };
  const key = read.data.data_key;
  const kept: unknown = key === undefined ? null : JSON.parse((await bench.context.dataStore.get(key))!);
  return answer({ ...read, kept });
}
