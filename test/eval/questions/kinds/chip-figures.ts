/** Questions whose answer is a figure over all qubits, or some of them picked by it. */
import {
  correlationOf,
  deviationOf,
  meanOf,
  medianOf,
  percentileOf,
  standingApart,
} from '../../data/arithmetic.ts';
import { newestOf, type ChipRecord } from '../../data/chip-record.ts';
import { QUBIT_PARAMETERS, type AskedParameter } from '../../data/parameters.ts';
import type { Draw } from '../draw.ts';
import type { Check } from '../question.ts';
import { ascending, firstOf, measuredOf, ranked, valueOf, type Template } from '../template.ts';

const NUMBER_WORDS = ['none', 'one', 'two', 'three', 'four', 'five'];

const RANKINGS: readonly Template[] = [
  {
    kind: 'ranking',
    name: 'so many',
    chips: 'any',
    times: 6,
    make: (draw, record) => {
      const parameter = draw.parameter(record, QUBIT_PARAMETERS);
      const end = draw.pick(['lowest', 'highest'] as const);
      const order = ascending(newestOf(record, parameter.name));
      const picked = firstOf(end === 'lowest' ? order : order.toReversed(), draw.number(2, 5));
      return {
        messages: [
          draw.say({
            n: draw.pick([picked.length, NUMBER_WORDS[picked.length] ?? picked.length]),
            end,
            ja: end === 'lowest' ? '低い' : '高い',
            p: draw.call(parameter),
          }),
        ],
        checks: ranked(picked, parameter),
      };
    },
  },
  {
    kind: 'ranking',
    name: 'best or worst one',
    chips: 'any',
    times: 4,
    make: (draw, record) => {
      const parameter = draw.pick(QUBIT_PARAMETERS.slice(0, 4));
      const end = draw.pick(['best', 'worst'] as const);
      const order = ascending(newestOf(record, parameter.name));
      const picked = firstOf(end === 'worst' ? order : order.toReversed(), 1);
      return {
        messages: [draw.say({ end, ja: end === 'best' ? '一番いい' : '一番悪い', p: draw.call(parameter) })],
        checks: ranked(picked, parameter),
      };
    },
  },
];

const STATISTICS: readonly {
  readonly word: string;
  readonly heldOut: string;
  readonly short: string;
  readonly ja: string;
  readonly of: (values: readonly number[]) => number;
}[] = [
  { word: 'mean', heldOut: 'arithmetic mean', short: 'mean', ja: '平均値', of: meanOf },
  { word: 'average', heldOut: 'mean value', short: 'avg', ja: '平均', of: meanOf },
  { word: 'median', heldOut: 'median value', short: 'med', ja: '中央値', of: medianOf },
  { word: 'standard deviation', heldOut: 'std dev', short: 'std', ja: '標準偏差', of: deviationOf },
];

const ofChip = (draw: Draw, record: ChipRecord) => {
  const parameter = draw.parameter(record, QUBIT_PARAMETERS);
  const values = newestOf(record, parameter.name).map(({ value }) => value);
  return { parameter, values, call: draw.call(parameter) };
};

const figure = (value: number, { name, unit }: AskedParameter): Check => ({
  type: 'values',
  values: [{ subject: null, parameter: name, value, unit }],
});

const SIDE_WORDS = {
  above: { other: 'more than', sign: '>', ja: 'より大きい' },
  below: { other: 'less than', sign: '<', ja: '未満' },
} as const;

const SUMMARIES: readonly Template[] = [
  {
    kind: 'statistics',
    name: 'a statistic',
    chips: 'any',
    times: 8,
    make: (draw, record) => {
      const { parameter, values, call } = ofChip(draw, record);
      const { word, heldOut, short, ja, of } = draw.pick(STATISTICS);
      return {
        messages: [draw.say({ s: word, h: heldOut, short, ja, p: call })],
        checks: [figure(of(values), parameter)],
      };
    },
  },
  {
    kind: 'threshold',
    name: 'how many',
    chips: 'any',
    times: 8,
    make: (draw, record) => {
      const { parameter, values, call } = ofChip(draw, record);
      const side = draw.pick(['above', 'below'] as const);
      const step = { μs: 5, '%': 0.1, GHz: 0.01, MHz: 1 }[parameter.unit] ?? 1;
      const near = percentileOf(values, draw.pick([12, 30, 60, 85]));
      const limit = Number((Math.round(near / step) * step).toFixed(3));
      const found = newestOf(record, parameter.name).filter(({ value }) =>
        side === 'above' ? value > limit : value < limit,
      );
      const unit = parameter.unit === 'μs' ? draw.pick(['μs', 'us']) : parameter.unit;
      return {
        messages: [draw.say({ p: call, side, ...SIDE_WORDS[side], x: limit, u: unit })],
        checks: [
          { type: 'count', value: found.length },
          ...(found.length === 0 || found.length > 8
            ? []
            : [{ type: 'names', subjects: found.map(({ qid }) => qid), how: 'only' } as const]),
        ],
      };
    },
  },
];

const ANALYSES: readonly Template[] = [
  {
    kind: 'analysis',
    name: 'percentile',
    chips: 'any',
    times: 4,
    make: (draw, record) => {
      const { parameter, values, call } = ofChip(draw, record);
      const percent = draw.pick([10, 25, 75, 90]);
      return {
        messages: [draw.say({ n: percent, p: call })],
        checks: [figure(percentileOf(values, percent), parameter)],
      };
    },
  },
  {
    kind: 'analysis',
    name: 'correlation',
    chips: 'any',
    times: 4,
    make: (draw, record) => {
      const [a, b] = draw.some(QUBIT_PARAMETERS.slice(0, 4), 2);
      if (a === undefined || b === undefined) throw new Error('two parameters are wanted');
      const pairs = measuredOf(record, a, b).map(
        (qid) => [valueOf(record, a, qid).value, valueOf(record, b, qid).value] as const,
      );
      const value = correlationOf(pairs);
      return {
        messages: [draw.say({ a: draw.call(a), b: draw.call(b) })],
        checks: [{ type: 'values', values: [{ subject: null, parameter: null, value, unit: '' }] }],
      };
    },
  },
];

const OUTLIERS: readonly Template[] = [
  {
    kind: 'outliers',
    name: 'of one parameter',
    chips: 'any',
    times: 6,
    make: (draw, record) => {
      const parameter = draw.parameter(record, QUBIT_PARAMETERS);
      const apart = standingApart(newestOf(record, parameter.name)).map(({ qid }) => qid);
      return {
        messages: [draw.say({ p: draw.call(parameter) })],
        checks:
          apart.length === 0
            ? [
                {
                  type: 'says',
                  pattern: /\bno (?!language)\w*|\bnone\b|\bnot any\b|ありません|見つかりません/iu,
                  what: 'that there are none',
                },
              ]
            : apart.length <= 8
              ? [{ type: 'names', subjects: apart, how: 'only' }]
              : [{ type: 'count', value: apart.length }],
      };
    },
  },
];

const HEALTH: readonly Template[] = [
  {
    kind: 'health',
    name: 'of the chip',
    chips: 'any',
    times: 6,
    make: (draw, record) => {
      const [t1] = QUBIT_PARAMETERS;
      if (t1 === undefined) throw new Error('T1 is wanted');
      const median = medianOf(newestOf(record, t1.name).map(({ value }) => value));
      return {
        messages: [draw.say({ name: record.chipId })],
        checks: [{ type: 'count', value: record.qids.length }, figure(median, t1)],
      };
    },
  },
];

/** Rankings, statistics, thresholds, analyses, outliers and health. */
export const CHIP_FIGURES: readonly Template[] = [
  ...RANKINGS,
  ...SUMMARIES,
  ...ANALYSES,
  ...OUTLIERS,
  ...HEALTH,
];
