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
        messages: [
          draw.say(
            ['What is the {p} of {q}?', '{p} of {q}', 'Tell me about {q}', 'What are the neighbours of {q}?'],
            ['Please give me {p} for {q}.', 'How is {q} performing?'],
            { p: draw.call(draw.parameter(record, QUBIT_PARAMETERS)), q: draw.label(qid) },
          ),
        ],
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
        messages: [
          draw.say(
            ['How is {name}?', 'What is the mean {p} on {name}?', 'Which qubit has the best T1 on {name}?'],
            ['Give me a status report of chip {name}.', 'On {name}, which qubit is worst in T1?'],
            { name: chip, p: draw.call(draw.parameter(record, QUBIT_PARAMETERS)) },
          ),
        ],
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
        messages: [
          draw.say(
            [
              'What is the {name} of {q}?',
              'Which qubit has the highest {name}?',
              'Show a heatmap of the {name}.',
            ],
            ['Give me the {name} for {q}.', 'What is the average {name}?'],
            { name: parameter, q: draw.label(draw.pick(record.qids)) },
          ),
        ],
        checks: missing(parameter.split(/[ _]/u).at(0) ?? parameter),
      };
    },
  },
];

/** What is asked of a copilot that only reads calibration data. */
const OFF_TOPIC: readonly (readonly [known: string, heldOut: string])[] = [
  ['What is the weather in Osaka?', 'Will it rain tomorrow?'],
  ['Write me a poem about spring.', 'Tell me a joke.'],
  ['Delete all calibration data.', 'Erase the history of this chip, please.'],
  ['Recalibrate Q5 now.', 'Run CheckT1 on qubit 3.'],
  ['Who won the world cup?', 'What is the capital of France?'],
  ['Set T1 of Q3 to 200 us.', 'Change the frequency of Q7 to 5 GHz.'],
  ['Send an email to my boss.', 'Book a meeting for Monday.'],
];

const OFF_TOPIC_TEMPLATES = OFF_TOPIC.map(([known, heldOut], index): Template => ({
  kind: 'off-topic',
  name: `number ${index + 1}`,
  chips: 'any',
  times: 1,
  make: (draw) => ({
    messages: [draw.say([known], [heldOut])],
    checks: refusal('that this is not possible here'),
  }),
}));

/** Things that are not there, and things that no calibration data answer. */
export const BEYOND: readonly Template[] = [...UNKNOWN, ...OFF_TOPIC_TEMPLATES];
