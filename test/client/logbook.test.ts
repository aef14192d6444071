import { describe, expect, test } from '@jest/globals';
import type { TurnView } from '@qpilot/client/view';
import { parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import {
  entryMarkdown,
  escapeMarkdown,
  inertMarkdown,
} from '../../client/features/logbook/entry-markdown.ts';
import { factsOf, fileNameOf, type LogbookEntry } from '../../client/features/logbook/entry.ts';
import { pictureSource } from '../../client/features/logbook/picture-source.ts';
import { chipOfAnswer } from '../../client/features/copilot/model/logbook-entry.ts';
import { parquetColumns } from '../../client/lib/parquet.ts';

const words = {
  chip: 'Chip',
  written: 'Written',
  data: 'Data',
  records: 'Records',
  link: 'Link',
  moreRecords: (count: number) => `and ${count} more`,
  stale: 'stale',
  sources: { SNAPSHOT: 'stored results' },
};

const entry: LogbookEntry = {
  title: 'Is **Q27** <img src=x onerror=alert(1)> usable?\n# really',
  chipId: 'demo|64',
  author: '=cmd() [Eve](javascript:1)',
  writtenAt: '2026-11-23T23:20:41.000Z',
  freshness: [
    {
      source: 'SNAPSHOT',
      oldestAt: '2026-11-23T23:05:00.000Z',
      newestAt: '2026-11-23T23:37:00.000Z',
      isStale: true,
    },
  ],
  markdown:
    'T1 is **37 µs**, <script>x</script> ![pixel](https://elsewhere/p.png)\n\n```\na <b> ![c](d)\n```\n\n`<i>` stays',
  exhibits: [
    {
      chart: null,
      table: {
        title: 'Values | of Q27',
        columns: [
          { key: 'name', label: 'Name', unit: null, format: 'text' },
          { key: 't1', label: 'T1', unit: 'µs', format: 'number' },
        ] as never,
        rows: [
          { name: 'a|b\n<script>', t1: 37.4689 },
          { name: '1. `x`', t1: null },
        ],
      },
    },
  ],
  records: Array.from({ length: 22 }, (_, index) => `record-${index}`),
  path: '/copilot/abc?turn=def',
};

describe('an entry of a logbook', () => {
  test('as Markdown has its title, dates, sources and link, and no text of it is a mark or a tag', () => {
    const text = entryMarkdown(entry, factsOf(entry, words, 'https://lab.example'));
    expect(text).toBe(
      [
        String.raw`# Is \*\*Q27\*\* \<img src=x onerror=alert(1)\> usable? \# really`,
        '',
        String.raw`- Chip: demo\|64`,
        String.raw`- Written: =cmd() \[Eve\](javascript:1), 2026-11-23 23:20 UTC`,
        '- Data: stored results: 2026-11-23 23:05 UTC – 2026-11-23 23:37 UTC (stale)',
        `- Records: ${entry.records.slice(0, 20).join(', ')}, and 2 more`,
        '- Link: <https://lab.example/copilot/abc?turn=def>',
        '',
        'T1 is **37 µs**, &lt;script>x&lt;/script> [pixel](https://elsewhere/p.png)',
        '',
        '```\na <b> ![c](d)\n```',
        '',
        '`<i>` stays',
        '',
        String.raw`## Values \| of Q27`,
        '',
        '| Name | T1 (µs) |',
        '| --- | --- |',
        String.raw`| a\|b \<script\> | 37.47 |`,
        '| 1\\. \\`x\\` | — |',
        '',
      ].join('\n'),
    );
  });

  test('without sign-in, chip or data says nothing of them', () => {
    const bare = { ...entry, chipId: null, author: null, writtenAt: null, freshness: [], records: [] };
    expect(factsOf(bare, words, 'http://localhost').map(({ label }) => label)).toEqual(['Link']);
  });

  test('a picture says its chip and the times of all its data', () => {
    const [first] = entry.freshness;
    const older = { ...first!, source: 'LIVE' as const, oldestAt: '2026-11-01T00:00:00Z', newestAt: null };
    expect(pictureSource('fez', [first!, older])).toBe('fez · 2026-11-01 00:00 UTC – 2026-11-23 23:37 UTC');
    expect(pictureSource(null, [])).toBe('');
  });

  test('names of files are such in any system', () => {
    expect(fileNameOf('T1/T2: "Q27" <x>?\n*')).toBe('T1 T2 Q27 x');
    expect(fileNameOf('../..')).toBe('QPilot');
    expect(fileNameOf('緩和'.repeat(100))).toHaveLength(80);
  });

  test('marks at the start of a line are words as well', () => {
    expect(['- a', '1) b', '+c', '-5'].map(escapeMarkdown)).toEqual([
      String.raw`\- a`,
      String.raw`1\) b`,
      '+c',
      '-5',
    ]);
    expect(inertMarkdown('a < b and 1<2')).toBe('a < b and 1<2');
    expect(inertMarkdown('~~~\n<open\n')).toBe('~~~\n<open\n');
  });
});

test('a table as Parquet keeps numbers, missing values, equal headings and Japanese', async () => {
  const rows = [
    ['Qubit', 'T1 (µs)', 'T1 (µs)', '備考'],
    ['Q00', 37.5, null, '緩和'],
    ['Q01', null, '=1+1', null],
  ];
  const file = parquetWriteBuffer({ columnData: parquetColumns(rows) });
  expect(await parquetReadObjects({ file })).toEqual([
    { Qubit: 'Q00', 'T1 (µs)': 37.5, 'T1 (µs) 2': null, 備考: '緩和' },
    { Qubit: 'Q01', 'T1 (µs)': null, 'T1 (µs) 2': '=1+1', 備考: null },
  ]);
});

describe('the chip of an answer', () => {
  const turn = (question: string, step = '', title = '') =>
    ({
      question: { text: question },
      steps: [{ description: step }],
      parts: [{ type: 'table', table: { title } }],
    }) as unknown as TurnView;
  const chips = { chipId: null, chipIds: ['fez', 'demo-64', 'demo-64-b'] };

  test('is the only one that its question, steps and visuals name, else that of the conversation', () => {
    expect(chipOfAnswer(turn('T1 of demo-64?'), chips)).toBe('demo-64');
    expect(chipOfAnswer(turn('T1?', 'Values of demo-64-b'), chips)).toBe('demo-64-b');
    expect(chipOfAnswer(turn('T1?', '', 'T1 of fez, demo-64'), { ...chips, chipId: 'fez' })).toBeNull();
    expect(chipOfAnswer(turn('fezzes'), { ...chips, chipId: 'fez' })).toBe('fez');
    expect(chipOfAnswer(turn('fezzes'), chips)).toBeNull();
  });
});
