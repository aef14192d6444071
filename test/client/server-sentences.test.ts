/** Sentences of the server for who reads Japanese: what rules, evaluations and imports of real files say. */
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { visualReader } from '../../client/components/chart/visual-words.ts';
import { alertSentences } from '../../client/lib/i18n/ja/alert-sentences.ts';
import { answerSentences } from '../../client/lib/i18n/ja/answer-sentences.ts';
import { importSentences } from '../../client/lib/i18n/ja/import-sentences.ts';
import { serverNames } from '../../client/lib/i18n/ja/server-names.ts';
import { sentenceReader, type Sentences } from '../../client/lib/i18n/sentences.ts';
import { wordFor } from '../../client/lib/i18n/word-for.ts';
import { evaluateRule, type EvaluationInput } from '../../src/domain/alerts/evaluate.ts';
import { parseRule, ruleText } from '../../src/domain/alerts/rule-text.ts';
import { summarizeChip } from '../../src/domain/chip/chip-summary.ts';
import type { FileImportRequest } from '../../src/domain/imports/file-import.ts';
import { rankingVisuals } from '../../src/domain/visual-rules/ranking.ts';
import { describeParameter } from '../../src/domain/values/parameter-value.ts';
import { importSentFiles } from '../../src/import/sent-files.ts';
import { useImportBench } from '../import/csv-harness.ts';
import { shippedMetrics as metrics } from '../support/catalogue.ts';
import { describeWithSharedData, sharedPath } from '../support/shared-data.ts';

const readerOf = (sentences: Sentences) =>
  sentenceReader({ ...serverNames.sentences, ...sentences, ...serverNames.joined }, (name) =>
    wordFor(serverNames.texts, wordFor(serverNames.metrics, name)),
  );
const alerts = readerOf(alertSentences);
const imports = readerOf(importSentences);
const answers = readerOf(answerSentences);

/** Three English words in a row, but for what is quoted, such as an example of what to write. */
const ENGLISH = /(?<![\w./-])[A-Za-z][a-z']+(?: [a-z][a-z']*){2,}/u;
const left = (texts: readonly string[], read: (text: string) => string): readonly string[] =>
  texts.flatMap((text) => {
    const lines = read(text).split('\n');
    return lines.filter((line) => ENGLISH.test(line.replaceAll(/"[^"]*"/gu, '""')));
  });

const NOW = new Date('2026-05-20T00:00:00Z');

describe('a sentence of the server', () => {
  const read = sentenceReader(
    {
      '{n#} apple[s] of {who!}': '{who} の {n} 個',
      '{a}; {b}': '{a}。{b}',
      'is {what}': '{what}です',
      red: '赤',
    },
    (name) => (name === 'Ann' ? 'アン' : name),
  );
  test('is read by its pattern, and so is what fills it', () => {
    expect(read('1 apple of Ann; 2 apples of "Bob B"; is red')).toBe('アン の 1 個。"Bob B" の 2 個。赤です');
  });
  test('stays as it is where no pattern fits, line by line and with its indent', () => {
    expect(read('  is red\n    some apples of Ann\n')).toBe('  赤です\n    some apples of Ann\n');
    expect(read('')).toBe('');
  });
  test('is no pattern itself: signs of patterns are letters', () => {
    expect(sentenceReader({ 'a (b) [c].': 'x' }, (name) => name)('a (b) c.')).toBe('x');
    expect(read('is $& {what}')).toBe('$& {what}です');
  });
});

describe('alerts in Japanese', () => {
  const rule = (text: string) => {
    const found = parseRule(text, { metrics, chipId: 'demo-64' });
    if (found.rule === null) throw new Error(found.problem.message);
    return found.rule;
  };
  const RULES = [
    't1 of any qubit below 20 us',
    't1 of any qubit above 1000 us',
    'cz error of any coupling above 2 %',
    'readout of Q27 older than 3 days',
    't1 of any qubit halves within 7 days',
    't1 of Q3 rises by 30 % within 36 hours',
    't1 of Q3 falls by 5 sigma since cooldown',
    'any qubit is disabled',
    'any coupling is missing',
    'Q04-Q01 on "my chip" is doubtful',
  ];

  test('rules', () => {
    const texts = RULES.map((text) => ruleText(rule(text)));
    expect(left(texts, alerts)).toEqual([]);
    expect(alerts(texts[0] ?? '')).toBe('demo-64 のいずれかの量子ビットの t1 が 20 μs より小さい');
    expect(alerts(texts[5] ?? '')).toBe('demo-64 の Q3 の t1 が 36 時間以内に 30 % 以上増加');
    expect(alerts(texts[9] ?? '')).toBe('"my chip" の Q4-Q1 が疑わしい');
  });

  test('what is wrong with a line', () => {
    const lines = [
      '',
      'x'.repeat(400),
      'of any qubit on c below 20 us',
      't1 of any qubit below 20 us',
      't1 of any qbit on c below 20 us',
      't1 of any qubit on c below 20',
      't1 of any qubit on c below 20 %',
      't1 of any qubit on c below 1e999 us',
      't1 of any qubit on c belw 20 us',
      't1 of any qubit on c',
      't1 of any qubit on',
      't1 of',
      'tea of any qubit on c below 20 us',
      'tea of any coupling on c below 20 us',
      't1 of any coupling on c below 20 us',
      'cz_gate_fidelity of any qubit on c below 9 %',
      't1 of any qubit on c halves',
      't1 of any qubit on c falls by 2 sigma within 7 days',
      't1 of any qubit on c rises by 9 sigma within 7 days',
      't1 of any qubit on c falls by 200 % within 7 days',
      't1 of any qubit on c rises by 0 % within 7 days',
      't1 of any qubit on c older than 99999 days',
      'cz error of any coupling on c falls by 20 % within 7 days',
      'qubit_frequency of Q1 on c worsens by 9 sigma within 7 days',
      'Q27 on c below 20 us',
      't1 on c below 20 us',
      'nonsense on c below 20 us',
    ];
    const problems = lines.map(
      (text) => parseRule(text, { metrics }).problem?.message ?? 'no problem at all',
    );
    expect(new Set(problems).size).toBe(lines.length);
    expect(left(problems, alerts)).toEqual([]);
    expect(alerts(problems[5] ?? '')).toBe('単位を書いてください: "below 20 μs"');
    expect(alerts('there is no chip c in project demo; chips here: a, b')).toBe(
      'プロジェクト demo にチップ c はありません。あるもの: a, b',
    );
    expect(alerts(`at character 17: ${problems[3] ?? ''}`)).toMatch(/^17 文字目から: どのチップか/u);
  });

  test('what became of a message', () => {
    const said = [
      'its destination was switched off',
      'nothing arrived for 24 hours; last: hooks.lab.example did not answer in time',
      'the destination is switched off: hooks.lab.example answered 410; send a test or save it to switch it on',
      'only a WEBHOOK can subscribe to TURN_ENDED: so many messages would flood a chat or mailbox',
      'hooks.lab is in a private network; an operator can allow it with ALERT_PRIVATE_HOSTS=hooks.lab',
    ];
    expect(left(said, alerts)).toEqual([]);
    expect(alerts(said[1] ?? '')).toBe(
      '24 時間届いていません。最後のエラー: hooks.lab.example が時間内に応答しません',
    );
  });

  test('what they rest on, and what a rule came to', () => {
    const value = (of: number | null, hoursOld: number) =>
      describeParameter(
        {
          name: 't1',
          value: of,
          text: null,
          unit: 'μs',
          error: null,
          calibratedAt: new Date(NOW.getTime() - hoursOld * 3_600_000),
          executionId: null,
          taskId: null,
        },
        metrics.find('t1', 'QUBIT'),
        NOW,
      );
    const was = [120, 50, 0].map((of, qid) => ({
      scope: 'QUBIT' as const,
      qid: String(qid),
      label: String(qid),
      parameters: [value(of, 300)],
    }));
    const is = [19, 60, 5, -3, null].map((of, index) => value(of, 1 + 70 * index));
    const qubits = [
      ...is.map((each, qid) => ({ qid: String(qid), parameters: [each], lastSeenAt: null })),
      { qid: '5', parameters: [], lastSeenAt: null },
    ];
    const after = qubits.map(({ qid, parameters }) => ({
      scope: 'QUBIT' as const,
      qid,
      label: qid,
      parameters,
    }));
    const change = {
      from: new Date(NOW.getTime() - 200 * 3_600_000),
      to: NOW,
      before: was,
      after,
      falls: { falls: [], notJudged: [] },
    };
    const input: EvaluationInput = {
      chipSize: 64,
      summary: summarizeChip({ qubits, couplings: [], shown: null, metrics, now: NOW }),
      change,
      whyNoChange: '',
      mutes: [],
      metrics,
      now: NOW,
    };
    const said = RULES.flatMap((text) =>
      [change, null].flatMap((each) => {
        const whyNoChange = 'when the cool-down began is not recorded';
        const { words, judged } = evaluateRule(rule(text), { ...input, change: each, whyNoChange });
        return [words, ...judged.map(({ evidence }) => evidence.words)];
      }),
    );
    expect(said.length).toBeGreaterThan(40);
    expect(left(said, alerts)).toEqual([]);
    expect(
      alerts(
        'T1 of Q27 is 37.47 μs against 87.1 μs at 2026-11-02 23:21 UTC, worse by 7.3 sigma; measured 2026-11-23 23:20 UTC',
      ),
    ).toBe(
      'Q27 の T1 は 37.47 μs、2026-11-02 23:21 UTC の 87.1 μs から 7.3 σ 悪化（測定 2026-11-23 23:20 UTC）',
    );
    expect(
      alerts('2 alerts of 64 qubits: Q01 and Q02; 1 muted; 3 qubits not judged: no t1 was ever recorded'),
    ).toBe(
      '量子ビット 64 個中 2 件: Q01、Q02。ミュート 1 件。量子ビット 3 個は判定できません: t1 の記録がありません',
    );
  });
});

describe('answers in Japanese', () => {
  test('headings, axes, columns and ratings of what a tool shows; values and a person’s words stay', () => {
    const rows = [{ label: 'Q01', value: 20, error: 1, rating: 'BAD' as const, measuredAt: NOW }];
    const ranking = {
      title: 'ZX90 Gate Fidelity on demo-64, worst first',
      metricTitle: 'ZX90 Gate Fidelity',
      unit: '%',
      entity: 'Coupling' as const,
      rows,
    };
    const { chart, table } = visualReader(answers);
    const [drawn, listed] = rankingVisuals(ranking);
    if (drawn?.type !== 'chart' || listed?.type !== 'table') throw new Error('a chart and a table');
    const shown = chart({ __typename: 'Chart', id: 'c', ...drawn });
    expect(shown.title).toBe('demo-64 の ZX90ゲート忠実度（悪い順）');
    expect(JSON.stringify([shown.data, shown.layout])).not.toMatch(/Fidelity|worst|Coupling/u);
    const cells = table({
      title: listed.title,
      columns: listed.columns.map((column) => ({ __typename: 'TableColumn', unitKey: null, ...column })),
      rows: [{ ...listed.rows[0], message: 'failed' }],
    });
    expect(cells.columns.map(({ label }) => label)).toEqual([
      'カップリング',
      'ZX90ゲート忠実度',
      '誤差',
      '評価',
      '測定 (UTC)',
    ]);
    expect(cells.rows).toEqual([expect.objectContaining({ rating: '不良', message: 'failed' })]);
  });
});

describeWithSharedData('imports in Japanese', () => {
  const bench = useImportBench();
  const FORM = {
    projectId: 'p1',
    chip: null,
    create: true,
    size: null,
    time: null,
    timeZone: 'UTC',
    skipBad: false,
    parameter: null,
    unit: null,
    names: null,
    yes: true,
    preview: true,
  } as const;
  /** Every line of a report, or of the refusal. */
  async function said(
    sent: readonly { readonly name: string; readonly bytes: Uint8Array }[],
    more: Partial<FileImportRequest> = {},
  ): Promise<readonly string[]> {
    const folder = await mkdtemp(join(tmpdir(), 'qpilot-import-'));
    const files = sent.map(({ name }, index) => ({ name, path: join(folder, String(index)) }));
    await Promise.all(files.map(async ({ path }, index) => writeFile(path, sent[index]!.bytes)));
    const deps = { writer: bench.writer, metrics, now: new Date('2026-11-20T00:00:00Z') };
    try {
      const report = await importSentFiles(deps, { ...FORM, folder, files, ...more }, () => undefined);
      return [...report.lines, ...report.guesses];
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    } finally {
      await rm(folder, { recursive: true });
    }
  }
  const shared = async (...paths: readonly string[]) =>
    Promise.all(
      paths.map(async (path) => ({
        name: path.split('/').at(-1) ?? '',
        bytes: await readFile(sharedPath(`data/${path}`)),
      })),
    );
  const table = (text: string, more: Partial<FileImportRequest> = {}, name = 't.csv') =>
    said([{ name, bytes: Buffer.from(text) }], { chip: 'lab', ...more });

  test('reports of real devices and tables', async () => {
    const devices = ['auckland', 'brisbane', 'manila', 'poughkeepsie', 'torino'];
    const lines = [
      ...(
        await Promise.all(
          devices.map(async (device) =>
            said(await shared(`ibm-backends/props_${device}.json`, `ibm-backends/conf_${device}.json`)),
          ),
        )
      ).flat(),
      ...(await said(
        await shared(
          ...(await readdir(sharedPath('data/lab-series')))
            .filter((name) => name.endsWith('.json'))
            .map((name) => `lab-series/${name}`),
        ),
      )),
      ...(await said(await shared('lab-tables/ibmq_athens_t1.csv'), { chip: 'athens' })),
      ...(await said(await shared('lab-tables/ibmq_athens_cnot_error.csv'), { chip: 'athens' })),
      ...(await said(await shared('lab-tables/ibmq_athens_readout_error.csv'), { chip: 'athens' })),
    ];
    expect(lines.length).toBeGreaterThan(100);
    // The title of a table is its author's.
    expect(left(lines, imports).filter((line) => !line.includes('タイトル: '))).toEqual([]);
  });

  test('what is wrong with files and tables, and what would be right', async () => {
    const row = (line: string) => table(`qid,parameter,value,unit,time\n${line}\n`);
    const lines = (
      await Promise.all([
        said([]),
        said(await shared('ibm-backends/props_manila.json')),
        said(await shared('ibm-backends/conf_manila.json')),
        said(await shared('ibm-backends/conf_manila.json', 'lab-tables/ibmq_athens_t1.csv')),
        said([{ name: 'x.json', bytes: Buffer.from('{"a": 1}') }]),
        said(await shared('lab-tables/ibmq_athens_t1.csv')),
        said(await shared('lab-tables/ibmq_athens_t1.csv'), { chip: 'a b' }),
        said(await shared('lab-tables/ibmq_athens_t1.csv'), { chip: 'lab', create: false }),
        said(await shared('lab-tables/ibmq_athens_t1.csv'), { chip: 'lab', timeZone: 'Mars/Base' }),
        said(await shared('lab-tables/ibmq_athens_t1.csv'), { chip: 'lab', yes: false, preview: false }),
        table(''),
        table('qid,t1,time\n'),
        table('1,2,3\n1,2,3\n'),
        table('qid,,time\n0,1,2026-05-01\n'),
        table('qid,t1,t1\n0,1,2\n'),
        table('qid,T1 (us),time\n0,1\n'),
        table('qid,T1 (us),time\n0,"1,2026-05-01\n'),
        table('qid,T1 (us),time\n0,1"2,2026-05-01\n'),
        table('qid,T1 (us)\n0,1\n'),
        table('qid,T1 (us),time\n0,1,2026-05-01\n', { time: '2026-05-01' }),
        table('qid,T1 (us)\n0,1\n', { time: 'yesterday' }),
        table('qid,T2 (us),time\n0,1,2026-05-01\n'),
        table('qid,time\n0,2026-05-01\n'),
        table('T1 (us),time\n1,2026-05-01\n'),
        table('time,q0,q1\n2026-05-01,50,60\n'),
        table('time,q0,q0\n2026-05-01,50,60\n', { parameter: 't1' }),
        table('time,q0,q1\n2026-05-01,5e9,60\n', { parameter: 't1' }),
        table('time,q0,q1\n2026-05-01,0.01,0.02\n', {}, 'readout fidelity.csv'),
        table('time,q0,q1\n2026-05-01,50,60\n', {}, 't1_and_t2_echo.csv'),
        table('time,0_6\n2026-05-01,50\n', { parameter: 'my_thing' }),
        table('qid,t1,time\n0,40,2026-05-02\n', { parameter: 't1' }),
        table('\u0089PNG', {}, 'a.csv'),
        table('PK\u0003\u0004', {}, 'a.xlsx'),
        row('Qx,t1,50,us,2026-05-01'),
        row('0,t1,abc,us,2026-05-01'),
        row('0,t1,"5,0",us,2026-05-01'),
        row('0,t1,50,us,soon'),
        row('0,t1,50,us,2031-01-01'),
        row('0,t1,50,us,1901-01-01'),
        row('0,t1,50,,2026-05-01'),
        row('0,t1,50,GHz,2026-05-01'),
        row('0,cz_gate_fidelity,0.9,,2026-05-01'),
        row('0-1,t1,50,us,2026-05-01'),
        row('0,average_readout_fidelity,5,,2026-05-01'),
        row('0,average_readout_fidelity,5,us,2026-05-01'),
        row('0,t2,50,us,2026-05-01'),
        row('0,!!,50,us,2026-05-01'),
        row('0,t1,,us,2026-05-01'),
        table(
          'qid,parameter,value,unit,time\n0,t1,-5,us,2026-05-01\n1,average_readout_fidelity,0.4,,2026-05-01\n2,own_thing,4,,2026-05-01\n3,t1,abc,us,2026-05-01\n',
          {
            skipBad: true,
          },
        ),
      ])
    ).flat();
    expect(left(lines, imports)).toEqual([]);
    expect(
      lines
        .map(imports)
        .filter(
          (line) =>
            !/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(line) &&
            /[a-z]{4} /u.test(line.trim()),
        ),
    ).toEqual([]);
  });
});
