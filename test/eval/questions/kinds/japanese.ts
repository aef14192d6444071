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
        messages: [draw.say({ q: qid, p: parameter.words.japanese })],
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
        messages: [draw.say({ p: parameter.words.japanese, n: picked.length })],
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
          draw.say({
            p: parameter.words.japanese,
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
        messages: [draw.say({ q: qid })],
        checks: [{ type: 'names', subjects: record.neighbours.get(qid) ?? [], how: 'only', except: [qid] }],
      };
    },
  },
  {
    ...base,
    name: 'heatmap',
    times: 1,
    make: (draw) => ({
      messages: [draw.say()],
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
        messages: [draw.say({ x: limit })],
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
        messages: [draw.say({ q: qid })],
        checks: missing(qid),
      };
    },
  },
];
