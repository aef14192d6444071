/** Questions for values of this moment, which the control server beside the demo answers. */
import type { LiveValue } from '../../data/live-values.ts';
import { QUBIT_PARAMETERS, shownValue } from '../../data/parameters.ts';
import { measuredOf, type Template } from '../template.ts';

/** Questions whose answers are `values`, what the control server says at the time of asking. */
export const liveTemplates = (values: readonly LiveValue[]): readonly Template[] => [
  {
    kind: 'live',
    name: 'one value',
    chips: 'demo',
    times: 6,
    make: (draw, record) => {
      const parameter = draw.pick(QUBIT_PARAMETERS.slice(0, 4));
      const qid = draw.pick(measuredOf(record, parameter));
      const live = values.find((each) => each.qid === qid && each.parameter === parameter.name);
      if (live === undefined) throw new Error(`the control server has no ${parameter.name} of ${qid}`);
      return {
        messages: [draw.say({ p: draw.call(parameter), q: draw.label(qid) })],
        checks: [
          {
            type: 'values',
            values: [
              {
                subject: qid,
                parameter: parameter.name,
                value: shownValue(parameter.name, live.value),
                unit: parameter.unit,
              },
            ],
          },
          {
            type: 'says',
            pattern: /\blive\b|real[\s-]time|right now|ライブ|リアルタイム/iu,
            what: 'that it is live',
          },
        ],
      };
    },
  },
];
