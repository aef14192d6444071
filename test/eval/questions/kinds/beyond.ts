/** Questions that have no answer in the data, or none at all. */
import { QUBIT_PARAMETERS } from '../../data/parameters.ts';
import { missing, refusal } from '../question.ts';
import type { Template } from '../template.ts';

const UNKNOWN: readonly Template[] = [
  {
    kind: 'unknown',
    name: 'qubit',
    chips: 'any',
    times: 3,
    make: (draw, record) => {
      const qid = String(record.qids.length + draw.number(3, 90));
      return {
        messages: [draw.say({ p: draw.call(draw.parameter(record, QUBIT_PARAMETERS)), q: draw.label(qid) })],
        checks: missing(qid),
      };
    },
  },
  {
    kind: 'unknown',
    name: 'chip',
    chips: 'any',
    times: 3,
    make: (draw, record) => {
      const chip = draw.pick(['osaka', 'kyoto', 'chip-9000', 'falcon-x']);
      return {
        messages: [draw.say({ name: chip, p: draw.call(draw.parameter(record, QUBIT_PARAMETERS)) })],
        checks: missing(chip),
      };
    },
  },
  {
    kind: 'unknown',
    name: 'parameter',
    chips: 'any',
    times: 3,
    make: (draw, record) => {
      const parameter = draw.pick(['leakage rate', 'thermal_population', 'charge dispersion', 'purity']);
      return {
        messages: [draw.say({ name: parameter, q: draw.label(draw.pick(record.qids)) })],
        checks: missing(parameter.split(/[ _]/u).at(0) ?? parameter),
      };
    },
  },
];

/** Requests that a copilot which only reads calibration data must decline. */
const OFF_TOPIC = Array.from({ length: 7 }, (_, index): Template => ({
  kind: 'off-topic',
  name: `number ${index + 1}`,
  chips: 'any',
  times: 1,
  make: (draw) => ({ messages: [draw.say()], checks: refusal('that this is not possible here') }),
}));

/** Unknown things, and requests that calibration data cannot answer. */
export const BEYOND: readonly Template[] = [...UNKNOWN, ...OFF_TOPIC];
