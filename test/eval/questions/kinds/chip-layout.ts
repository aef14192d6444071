/** Questions about the layout, and questions that ask for something to look at. */
import { pairsOf } from '../../data/chip-record.ts';
import { QUBIT_PARAMETERS } from '../../data/parameters.ts';
import { measuredOf, type Template } from '../template.ts';

const TOPOLOGY: readonly Template[] = [
  {
    kind: 'topology',
    name: 'neighbours',
    chips: 'any',
    times: 4,
    make: (draw, record) => {
      const qid = draw.pick(record.qids);
      return {
        messages: [draw.say({ q: draw.label(qid) })],
        checks: [{ type: 'names', subjects: record.neighbours.get(qid) ?? [], how: 'only', except: [qid] }],
      };
    },
  },
  {
    kind: 'topology',
    name: 'connected or not',
    chips: 'any',
    times: 3,
    make: (draw, record) => {
      const [a, b] = draw.pick(pairsOf(record));
      const far = draw.pick(
        record.qids.filter((qid) => qid !== a && !record.neighbours.get(a)?.includes(qid)),
      );
      const other = draw.pick([b, far]);
      const isNear = other === b;
      return {
        messages: [draw.say({ a: draw.label(a), b: draw.label(other) })],
        checks: [
          isNear
            ? {
                type: 'says',
                pattern:
                  /\byes\b|\bare (?:directly )?(?:coupled|connected|neighbou?rs)|\bis (?:directly )?(?:coupled|connected)|はい|(?:つなが|結合し|接続され)て(?:いま|い)[する]/iu,
                what: 'yes',
              }
            : {
                type: 'says',
                pattern: /\bno(?! language)\b|\bnot\b|n't\b|いいえ|いません|いない|ありません/iu,
                what: 'no',
              },
          ...(isNear
            ? [
                {
                  type: 'never says',
                  pattern:
                    /^no\b|\bnot (?:directly )?(?:coupled|connected|neighbou?rs)|いいえ|いません|いない/imu,
                  what: 'no',
                } as const,
              ]
            : []),
        ],
      };
    },
  },
  {
    kind: 'topology',
    name: 'how many couplings',
    chips: 'any',
    times: 2,
    make: (draw, record) => ({
      messages: [draw.say({ name: record.chipId })],
      checks: [{ type: 'count', value: pairsOf(record).length }],
    }),
  },
];

const CHARTS: readonly Template[] = [
  {
    kind: 'charts',
    name: 'heatmap',
    chips: 'any',
    times: 3,
    make: (draw, record) => {
      const parameter = draw.parameter(record, QUBIT_PARAMETERS);
      return {
        messages: [draw.say({ p: draw.call(parameter) })],
        checks: [{ type: 'shows', visuals: ['HEATMAP'] }],
      };
    },
  },
  {
    kind: 'charts',
    name: 'distribution',
    chips: 'any',
    times: 2,
    make: (draw, record) => {
      const parameter = draw.parameter(record, QUBIT_PARAMETERS);
      return {
        messages: [draw.say({ p: draw.call(parameter) })],
        checks: [{ type: 'shows', visuals: ['HISTOGRAM', 'BOX', 'BAR'] }],
      };
    },
  },
  {
    kind: 'charts',
    name: 'scatter',
    chips: 'any',
    times: 2,
    make: (draw) => {
      const [a, b] = draw.some(QUBIT_PARAMETERS.slice(0, 4), 2);
      if (a === undefined || b === undefined) throw new Error('two parameters are wanted');
      return {
        messages: [draw.say({ a: draw.call(a), b: draw.call(b) })],
        checks: [{ type: 'shows', visuals: ['SCATTER'] }],
      };
    },
  },
  {
    kind: 'charts',
    name: 'course of a qubit',
    chips: 'demo',
    times: 2,
    make: (draw, record) => {
      const parameter = draw.pick(QUBIT_PARAMETERS.slice(0, 3));
      return {
        messages: [
          draw.say({ p: draw.call(parameter), q: draw.label(draw.pick(measuredOf(record, parameter))) }),
        ],
        checks: [{ type: 'shows', visuals: ['LINE'] }],
      };
    },
  },
];

/** Topology and charts. */
export const CHIP_LAYOUT: readonly Template[] = [...TOPOLOGY, ...CHARTS];
