/** The commonest questions in Japanese. */
import { meanOf } from '../../data/arithmetic.ts';
import { newestOf } from '../../data/chip-record.ts';
import { QUBIT_PARAMETERS } from '../../data/parameters.ts';
import { missing } from '../question.ts';
import { ascending, firstOf, measuredOf, ranked, valueOf, wanted, type Template } from '../template.ts';

const base = { kind: 'japanese', chips: 'any' } as const;

/** All of them. */
export const JAPANESE: readonly Template[] = [
  {
    ...base,
    name: 'one value',
    times: 3,
    make: (draw, record) => {
      const parameter = draw.parameter(record, QUBIT_PARAMETERS);
      const qid = draw.pick(measuredOf(record, parameter));
      return {
        messages: [
          draw.say(
            ['Q{q}の{p}は？', '量子ビット{q}の{p}を教えて', 'Q{q}の{p}はいくつですか'],
            ['Q{q}における{p}の値を知りたいです', '{p}、Q{q}はどのくらい？'],
            { q: qid, p: parameter.japanese },
          ),
        ],
        checks: [{ type: 'values', values: [wanted(valueOf(record, parameter, qid), parameter)] }],
      };
    },
  },
  {
    ...base,
    name: 'ranking',
    times: 2,
    make: (draw, record) => {
      const parameter = draw.pick(QUBIT_PARAMETERS.slice(0, 4));
      const picked = firstOf(ascending(newestOf(record, parameter.name)), draw.number(2, 4));
      return {
        messages: [
          draw.say(
            [
              '{p}が低い量子ビットを{n}つ教えて',
              '{p}のワースト{n}は？',
              '{p}が最も低い{n}個の量子ビットは？',
            ],
            ['{p}の下位{n}個を挙げてください', '{p}が悪い順に{n}つ並べて'],
            { p: parameter.japanese, n: picked.length },
          ),
        ],
        checks: ranked(picked, parameter),
      };
    },
  },
  {
    ...base,
    name: 'mean',
    times: 1,
    make: (draw, record) => {
      const parameter = draw.parameter(record, QUBIT_PARAMETERS);
      const value = meanOf(newestOf(record, parameter.name).map((each) => each.value));
      return {
        messages: [
          draw.say(['{p}の平均は？', '全量子ビットの{p}の平均値'], ['チップ全体で{p}は平均どれくらい？'], {
            p: parameter.japanese,
          }),
        ],
        checks: [
          {
            type: 'values',
            values: [{ subject: null, parameter: parameter.name, value, unit: parameter.unit }],
          },
        ],
      };
    },
  },
  {
    ...base,
    name: 'neighbours',
    times: 2,
    make: (draw, record) => {
      const qid = draw.pick(record.qids);
      return {
        messages: [
          draw.say(
            ['Q{q}に隣接する量子ビットは？', 'Q{q}の隣はどれ？'],
            ['Q{q}とつながっている量子ビットを教えて', 'Q{q}の隣接ビット一覧'],
            { q: qid },
          ),
        ],
        checks: [{ type: 'names', subjects: record.neighbours.get(qid) ?? [], how: 'only', except: [qid] }],
      };
    },
  },
  {
    ...base,
    name: 'heatmap',
    times: 1,
    make: (draw) => ({
      messages: [
        draw.say(['T1のヒートマップを見せて', 'T2のヒートマップ'], ['T1をヒートマップで表示してください']),
      ],
      checks: [{ type: 'shows', visuals: ['HEATMAP'] }],
    }),
  },
  {
    ...base,
    name: 'threshold',
    times: 2,
    make: (draw, record) => {
      const limit = draw.pick([60, 90, 110]);
      const count = newestOf(record, 't1').filter(({ value }) => value < limit).length;
      return {
        messages: [
          draw.say(
            ['T1が{x}μs未満の量子ビットはいくつ？', 'T1が{x}μsより短い量子ビットは何個ありますか'],
            ['T1が{x} μsを下回る量子ビットの数は？'],
            { x: limit },
          ),
        ],
        checks: [{ type: 'count', value: count }],
      };
    },
  },
  {
    ...base,
    name: 'unknown qubit',
    times: 1,
    make: (draw, record) => {
      const qid = String(record.qids.length + draw.number(5, 60));
      return {
        messages: [draw.say(['Q{q}のT1は？'], ['量子ビット{q}の周波数を教えてください'], { q: qid })],
        checks: missing(qid),
      };
    },
  },
];
