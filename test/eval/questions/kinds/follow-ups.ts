/** Questions that lean on the one before. */
import { newestOf } from '../../data/chip-record.ts';
import { QUBIT_PARAMETERS } from '../../data/parameters.ts';
import { ascending, firstOf, measuredOf, ranked, valueOf, wanted, type Template } from '../template.ts';

/** All of them. */
export const FOLLOW_UPS: readonly Template[] = [
  {
    kind: 'follow-up',
    name: 'another parameter',
    chips: 'any',
    times: 2,
    make: (draw, record) => {
      const [before, parameter] = draw.some(QUBIT_PARAMETERS.slice(0, 4), 2);
      if (before === undefined || parameter === undefined) throw new Error('two parameters are wanted');
      const qid = draw.pick(measuredOf(record, before, parameter));
      return {
        messages: [
          `What is the ${draw.call(before)} of ${draw.label(qid)}?`,
          draw.say({
            p: draw.call(parameter),
          }),
        ],
        checks: [{ type: 'values', values: [wanted(valueOf(record, parameter, qid), parameter)] }],
      };
    },
  },
  {
    kind: 'follow-up',
    name: 'another qubit',
    chips: 'any',
    times: 2,
    make: (draw, record) => {
      const parameter = draw.pick(QUBIT_PARAMETERS.slice(0, 4));
      const [before = '', qid = ''] = draw.some(measuredOf(record, parameter), 2);
      return {
        messages: [
          `What is the ${draw.call(parameter)} of ${draw.label(before)}?`,
          draw.say({
            q: draw.label(qid),
          }),
        ],
        checks: [{ type: 'values', values: [wanted(valueOf(record, parameter, qid), parameter)] }],
      };
    },
  },
  {
    kind: 'follow-up',
    name: 'the other end',
    chips: 'any',
    times: 2,
    make: (draw, record) => {
      const parameter = draw.pick(QUBIT_PARAMETERS.slice(0, 4));
      const best = firstOf(ascending(newestOf(record, parameter.name)).toReversed(), 3);
      return {
        messages: [
          `Which three qubits have the worst ${draw.call(parameter)}?`,
          draw.say({
            n: best.length,
          }),
        ],
        checks: ranked(best, parameter),
      };
    },
  },
];
