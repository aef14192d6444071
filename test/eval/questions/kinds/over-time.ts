/** Questions about how values changed, and about how old they are. */
import { meanOf } from '../../data/arithmetic.ts';
import { seriesOf, type ChipRecord, type Reading } from '../../data/chip-record.ts';
import { ASKED_PARAMETERS, QUBIT_PARAMETERS } from '../../data/parameters.ts';
import { EVAL_NOW } from '../../now.ts';
import type { Check } from '../question.ts';
import { measuredOf, valueOf, wanted, type Template } from '../template.ts';

const DAY_MS = 86_400_000;
/** The last stretch of a fall of two fifths is nothing that noise makes. */
const FALLS = /\bfall|\bfell\b|\bdeclin|\bdecreas|\bworse|\bdegrad|\bdrop|\bdown|低下|悪化|下が|減少|下降/iu;

const TRENDS: readonly Template[] = [
  {
    kind: 'trend',
    name: 'range of the newest',
    chips: 'demo',
    times: 5,
    make: (draw, record) => {
      const parameter = draw.parameter(
        record,
        ASKED_PARAMETERS.filter(({ name }) => name !== 'anharmonicity'),
      );
      const qid = draw.pick(measuredOf(record, parameter));
      const count = draw.number(5, 12);
      const series = seriesOf(record, parameter.name, qid).slice(-count);
      const values = series.map(({ value }) => value);
      const ends = [Math.min(...values), Math.max(...values)].map((value) => ({
        subject: qid,
        parameter: parameter.name,
        value,
        unit: parameter.unit,
      }));
      return {
        messages: [draw.say({ p: draw.call(parameter), q: draw.label(qid), n: count })],
        checks: [
          { type: 'values', values: [wanted(valueOf(record, parameter, qid), parameter), ...ends] },
          { type: 'shows', visuals: ['LINE'] },
        ],
      };
    },
  },
  {
    kind: 'trend',
    name: 'a decline',
    chips: 'demo',
    times: 2,
    make: (draw, record) => ({
      messages: [draw.say({ q: draw.label(steepestFall(record)) })],
      checks: [{ type: 'says', pattern: FALLS, what: 'that it falls' }],
    }),
  },
];

/** The qubit whose T1 lost most of what it had four weeks before. */
function steepestFall(record: ChipRecord): string {
  const lost = record.qids.map((qid) => {
    const values = seriesOf(record, 't1', qid).map(({ value }) => value);
    return { qid, share: meanOf(values.slice(-3)) / meanOf(values.slice(-30, -27)) };
  });
  return lost.toSorted((a, b) => a.share - b.share)[0]?.qid ?? '';
}

/** Readings of a window that ends `toDays` before now. */
const within = (readings: readonly Reading[], fromDays: number, toDays: number): readonly Reading[] =>
  readings.filter(({ at }) => {
    const days = (EVAL_NOW.getTime() - at.getTime()) / DAY_MS;
    return days <= fromDays && days > toDays;
  });

/** "T1 this week" may mean the newest value of the week or the mean over it. */
function windowsOf(
  series: readonly Reading[],
  days: number,
): readonly (readonly [current: number, previous: number])[] {
  const [current, previous] = [within(series, days, 0), within(series, 2 * days, days)].map((part) =>
    part.map(({ value }) => value),
  );
  if (!current?.length || !previous?.length) throw new Error('a window is empty');
  const newest = (values: readonly number[]): number => values.at(-1) ?? 0;
  return [
    [newest(current), newest(previous)],
    [meanOf(current), meanOf(previous)],
  ];
}

const SPANS = [
  {
    days: 7,
    w: 'this week with last week',
    h: 'the current week against the one before',
    short: 'this wk vs last wk',
    ja: '今週と先週',
  },
  {
    days: 3,
    w: 'the last 3 days with the 3 days before',
    h: 'the past three days with the three before',
    short: 'last 3d vs prev 3d',
    ja: '直近3日とその前の3日',
  },
  {
    days: 30,
    w: 'this month with last month',
    h: 'the present month versus the previous one',
    short: 'this month vs last month',
    ja: '今月と先月',
  },
] as const;

const PERIODS: readonly Template[] = [
  {
    kind: 'periods',
    name: 'of a qubit',
    chips: 'demo',
    times: 4,
    make: (draw, record) => {
      const parameter = draw.pick(QUBIT_PARAMETERS.slice(0, 3));
      const { days, ...words } = draw.pick(SPANS);
      const usable = measuredOf(record, parameter).filter((qid) => {
        const series = seriesOf(record, parameter.name, qid);
        return within(series, days, 0).length > 0 && within(series, 2 * days, days).length > 0;
      });
      const qid = draw.pick(usable);
      const ways = windowsOf(seriesOf(record, parameter.name, qid), days).map((values): readonly Check[] => [
        {
          type: 'values',
          values: values.map((value) => ({
            subject: qid,
            parameter: parameter.name,
            value,
            unit: parameter.unit,
          })),
        },
      ]);
      return {
        messages: [draw.say({ ...words, p: draw.call(parameter), q: draw.label(qid) })],
        checks: [{ type: 'any of', ways }],
      };
    },
  },
  {
    kind: 'periods',
    name: 'of the chip',
    chips: 'demo',
    times: 3,
    make: (draw, record) => {
      const parameter = draw.pick(QUBIT_PARAMETERS.slice(0, 3));
      const members = record.qids.filter((qid) => {
        const series = seriesOf(record, parameter.name, qid);
        return within(series, 7, 0).length > 0 && within(series, 14, 7).length > 0;
      });
      const windows = members.map((qid) => windowsOf(seriesOf(record, parameter.name, qid), 7));
      const ways = [0, 1].map((way): readonly Check[] => [
        {
          type: 'values',
          values: [0, 1].map((period) => ({
            subject: null,
            parameter: parameter.name,
            value: meanOf(windows.map((each) => each[way]?.[period] ?? 0)),
            unit: parameter.unit,
          })),
        },
      ]);
      return {
        messages: [draw.say({ p: draw.call(parameter) })],
        checks: [{ type: 'any of', ways }],
      };
    },
  },
];

/** A word of age, or not: the demo was measured last evening, devices more than a year before. */
const OLD =
  /\bold(?:er)?\b|\bstale\b|\bout of date\b|\boutdated\b|\byears?\b|\bmonths?\b|measure again|re-?measure|古い|か月前|年前|再測定|測り直/iu;

const FRESHNESS: readonly Template[] = [
  {
    kind: 'freshness',
    name: 'when measured',
    chips: 'any',
    times: 4,
    make: (draw, record) => {
      const parameter = draw.parameter(record, QUBIT_PARAMETERS);
      const qid = draw.pick(measuredOf(record, parameter));
      return {
        messages: [draw.say({ p: draw.call(parameter), q: draw.label(qid) })],
        checks: [{ type: 'day', at: valueOf(record, parameter, qid).at }],
      };
    },
  },
  {
    kind: 'freshness',
    name: 'of the chip',
    chips: 'any',
    times: 4,
    make: (draw, record) => {
      const newest = new Date(
        Math.max(
          ...record.readings.filter(({ parameter }) => parameter === 't1').map(({ at }) => at.getTime()),
        ),
      );
      const isOld = EVAL_NOW.getTime() - newest.getTime() > 30 * DAY_MS;
      return {
        messages: [draw.say({ name: record.chipId })],
        checks: [
          { type: 'day', at: newest },
          ...(isOld ? [{ type: 'says', pattern: OLD, what: 'that the data is old' } as const] : []),
        ],
      };
    },
  },
];

/** Trends, comparisons of periods, and ages. */
export const OVER_TIME: readonly Template[] = [...TRENDS, ...PERIODS, ...FRESHNESS];
