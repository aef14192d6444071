import { describe, expect, test } from '@jest/globals';
import { DISPUTE_TEXTS } from '../../src/agent/preflight/dispute-texts.ts';
import {
  acknowledgement,
  conclusionWords,
  cutWords,
  sourceWords,
} from '../../src/agent/preflight/dispute-words.ts';
import { planComparison } from '../../src/agent/preflight/disputed-values.ts';
import { sourcesOf } from '../../src/agent/preflight/value-sources.ts';
import type { SourceReads, ValueSource } from '../../src/agent/preflight/value-sources.ts';
import type { AnswerValue } from '../../src/domain/conversation/answer-values.ts';
import { VERDICTS } from '../../src/domain/live/verification.ts';
import type { ParameterValue } from '../../src/domain/values/parameter-value.ts';
import type { TaskResult } from '../../src/domain/values/task-result.ts';

const valueOf = (qid: string, parameter: string, chipId = 'demo-64'): AnswerValue => ({
  chipId,
  qid,
  parameter,
  record: { source: 'STORED', taskId: null, executionId: null, measuredAt: null },
});
const grid = (qids: readonly string[], names: readonly string[]) =>
  qids.flatMap((qid) => names.map((name) => valueOf(qid, name)));
const argumentsOf = (values: readonly AnswerValue[], answer = '', doubt = '') =>
  planComparison(values, { answer, doubt }).calls.map((call): unknown => JSON.parse(call.arguments));

describe('a comparison', () => {
  test('is one call where all qubits have the same parameters', () => {
    expect(argumentsOf(grid(['3', '5'], ['t1', 't2_echo']))).toEqual([
      { chip_id: 'demo-64', qids: ['3', '5'], param_names: ['t1', 't2_echo'] },
    ]);
  });

  test('never compares values that the answer did not have: other parameters, other chips', () => {
    const values = [valueOf('3', 't1'), valueOf('5', 't2_echo'), valueOf('7', 't1', 'other')];
    expect(argumentsOf(values)).toEqual([
      { chip_id: 'demo-64', qids: ['3'], param_names: ['t1'] },
      { chip_id: 'demo-64', qids: ['5'], param_names: ['t2_echo'] },
      { chip_id: 'other', qids: ['7'], param_names: ['t1'] },
    ]);
  });

  test('keeps to what the answer says of a result, and to what the doubt names before that', () => {
    const values = grid(['3', '5'], ['t1', 't2_echo', 'qubit_frequency']);
    expect(argumentsOf(values, 'T1: Q03 50 μs, Q05 60 μs.')).toMatchObject([{ param_names: ['t1'] }]);
    expect(argumentsOf(values, 'T1: Q03 50 μs.', 'The frequency of Q5 is off')).toMatchObject([
      { qids: ['5'], param_names: ['qubit_frequency'] },
    ]);
    expect(argumentsOf(values, '', 'T2* of Q9 is off')).toMatchObject([
      { qids: ['3', '5'], param_names: ['t1', 't2_echo', 'qubit_frequency'] },
    ]);
  });

  test('is bounded, takes the qubits that the answer names first, and knows of how many it is', () => {
    const values = grid(
      Array.from({ length: 127 }, (_, qid) => String(qid)),
      ['t1'],
    );
    const { calls, values: compared, of } = planComparison(values, { answer: 'Q126 is worst', doubt: '' });
    expect([compared.length, of, calls.length]).toEqual([100, 127, 1]);
    expect(JSON.parse(calls[0]!.arguments)).toMatchObject({ qids: expect.arrayContaining(['126', '98']) });
    const odd = Array.from({ length: 9 }, (_, index) => valueOf(String(index), `p${index}`));
    expect(planComparison(odd, { answer: '', doubt: '' })).toMatchObject({ of: 9, calls: { length: 4 } });
  });
});

const source = (part: Partial<ValueSource> = {}): ValueSource => ({
  qid: '7',
  parameter: 't1',
  label: 'Q07',
  title: 'T1',
  taskName: 'CheckT1',
  taskId: 'r1',
  executionId: 'e1',
  measuredAt: new Date('2026-05-19T23:21:00Z'),
  isLive: false,
  isExcluded: false,
  isReplaced: false,
  ...part,
});

describe('the record, the value and the time of a source are of one row:', () => {
  const stored = {
    name: 't1',
    taskId: 'stored',
    executionId: 'e-stored',
    calibratedAt: new Date('2026-05-19T23:21:00Z'),
  } as ParameterValue;
  const results: Readonly<Record<string, Partial<TaskResult>>> = {
    stored: { name: 'CheckT1', executionId: 'e-stored', endAt: stored.calibratedAt },
    bad: { name: 'CheckT1', executionId: 'e-bad', endAt: new Date('2026-05-20T00:00:00Z'), excluded: true },
    other: { name: 'CheckT1', executionId: 'e-other', endAt: new Date('2026-05-18T23:21:00Z') },
  };
  const loads = (found: (key: never) => unknown) => ({ load: async (key: never) => found(key) });
  const reads = {
    metrics: { find: () => null },
    loaders: {
      chip: loads(() => ({ chipId: 'demo-64', size: 64 })),
      qubitsOfChip: loads(() => [{ qid: '7' }]),
      couplingsOfChip: loads(() => []),
      qubitParameters: loads(() => [stored]),
      couplingParameters: loads(() => []),
      taskResult: loads((id) => results[id] ?? null),
    },
    chipId: null,
    answeredAt: new Date('2026-05-20T01:00:00Z'),
  } as unknown as SourceReads;
  const sourceFrom = async (record: AnswerValue['record']) => {
    const [found] = await sourcesOf([{ ...valueOf('7', 't1'), record }], reads);
    const { taskId, executionId, measuredAt, isLive, isReplaced } = found!;
    return [taskId, executionId, measuredAt?.toISOString().slice(0, 10) ?? null, isLive, isReplaced];
  };
  const liveAt = new Date('2026-05-20T00:59:00Z');

  test('a live value has its own time and no record', async () => {
    const record = { source: 'LIVE', taskId: null, executionId: null, measuredAt: liveAt } as const;
    expect(await sourceFrom(record)).toEqual([null, null, '2026-05-20', true, false]);
  });

  test('a stored value of another time takes nothing from the one stored now', async () => {
    const record = { source: 'STORED', taskId: null, executionId: null, measuredAt: liveAt } as const;
    expect(await sourceFrom(record)).toEqual([null, null, '2026-05-20', false, false]);
  });

  test('a value whose result names no time has the time of its result', async () => {
    const record = { source: 'STORED', taskId: 'other', executionId: null, measuredAt: null } as const;
    expect(await sourceFrom(record)).toEqual(['other', 'e-other', '2026-05-18', false, false]);
  });

  test('a value whose result was excluded since keeps its own record, and is marked', async () => {
    const measuredAt = new Date('2026-05-20T00:00:00Z');
    const record = { source: 'STORED', taskId: 'bad', executionId: null, measuredAt } as const;
    expect(await sourceFrom(record)).toEqual(['bad', 'e-bad', '2026-05-20', false, false]);
    const [found] = await sourcesOf([{ ...valueOf('7', 't1'), record }], reads);
    expect(found!.isExcluded).toBe(true);
  });

  test('a value that names nothing is the stored one', async () => {
    const none = { source: 'STORED', taskId: null, executionId: null, measuredAt: null } as const;
    const whole = ['stored', 'e-stored', '2026-05-19', false, false];
    expect(await sourceFrom(none)).toEqual(whole);
    expect(await sourceFrom({ ...none, measuredAt: stored.calibratedAt })).toEqual(whole);
  });
});

const { en, ja } = DISPUTE_TEXTS;

describe('the words of a dispute', () => {
  test('name the record of each value, and say what is not known', () => {
    expect(sourceWords([source(), source({ label: 'Q08', taskId: 'r2' })], en)).toEqual([
      'Where they came from:\n\n- T1 of Q07 and Q08: task CheckT1, execution e1, measured 2026-05-19 23:21 UTC.',
    ]);
    const unknown = source({ taskName: null, taskId: null, executionId: null, measuredAt: null });
    expect(sourceWords([unknown], en)[0]).toContain(
      '- T1 of Q07: task unknown, execution unknown, measured at an unknown time.',
    );
    const live = source({ taskName: null, taskId: null, executionId: null, isLive: true });
    expect(sourceWords([live], en)[0]).toContain(
      '- T1 of Q07: a live value of the control system, measured 2026-05-19 23:21 UTC.',
    );
    expect(sourceWords([source({ isExcluded: true })], en)[0]).toMatch(
      /UTC\. That result is excluded by now, and it is not compared\.$/,
    );
    expect(sourceWords([source({ isReplaced: true })], en)[0]).toMatch(
      /A newer value is stored since, and that one/,
    );
    const many = Array.from({ length: 9 }, (_, index) => source({ executionId: `e${index}` }));
    expect(sourceWords(many, en)[0]).toMatch(/- and 3 more values of other records$/);
  });

  const none = { unavailable: null, failed: null };

  test('ask for nothing more where all agrees', () => {
    expect(conclusionWords({ ...none, verdicts: new Map([['MATCH', 3]]) }, [], en)).toBe(
      'Of 3 stored values 3 agree with the live ones within three standard deviations.',
    );
  });

  test('say what would settle the rest, and keep both values', () => {
    const verdicts = new Map([
      ['MATCH', 2],
      ['DRIFT', 1],
    ] as const);
    expect(conclusionWords({ ...none, verdicts }, [source()], en)).toBe(
      'Of 3 stored values 2 agree with the live ones within three standard deviations and 1 differs from the live one by more than three standard deviations. Run CheckT1 again on Q07 to settle it. Until then both values remain, each with its own time.',
    );
    const alone = {
      ...none,
      unavailable: 'it answers HTTP 503',
      verdicts: new Map([['LIVE_UNAVAILABLE', 1]] as const),
    };
    expect(conclusionWords(alone, [source({ taskName: null })], en)).toBe(
      'The live source was not used: it answers HTTP 503. The stored values remain unconfirmed. Measure again on Q07 to settle it. Until then both values remain, each with its own time.',
    );
    const failed = { ...none, failed: 'there is no qubit 99', verdicts: new Map() };
    expect(conclusionWords(failed, [source()], en)).toMatch(
      /^Not everything could be compared: there is no qubit 99\./,
    );
  });

  test('are Japanese throughout where the doubt is, but for names, times and quoted reasons', () => {
    const many = Array.from({ length: 9 }, (_, index) =>
      source({ executionId: `e${index}`, isReplaced: true }),
    );
    const unknown = source({ taskName: null, taskId: null, executionId: null, measuredAt: null });
    const verdicts = new Map(VERDICTS.map((verdict) => [verdict, 2]));
    const lines = [
      acknowledgement(0, ja),
      acknowledgement(3, ja),
      ...cutWords(100, 127, ja),
      ...sourceWords(many, ja),
      ...sourceWords([unknown, source({ isLive: true })], ja),
      conclusionWords({ ...none, verdicts }, many, ja),
      conclusionWords({ ...none, verdicts: new Map([['DRIFT', 1]]) }, [unknown], ja),
      conclusionWords({ verdicts, unavailable: '503', failed: '404' }, [source()], ja),
    ];
    const names = new Set([
      'T1',
      'Q07',
      'CheckT1',
      'UTC',
      'r1',
      ...many.map(({ executionId }) => executionId),
    ]);
    const english = lines
      .flatMap((line) => line.match(/[A-Za-z]\w*/gu) ?? [])
      .filter((word) => !names.has(word));
    expect(english).toEqual([]);
    expect(
      conclusionWords(
        {
          ...none,
          verdicts: new Map([
            ['MATCH', 2],
            ['DRIFT', 1],
          ]),
        },
        [source()],
        ja,
      ),
    ).toBe(
      '保存されている値3個のうち、2個はライブ値と標準偏差の3倍以内で一致しています、1個はライブ値と標準偏差の3倍を超えて異なります。確認するには、Q07でCheckT1をもう一度実行してください。それまでは、両方の値をそれぞれの測定時刻とともに残します。',
    );
  });
});
