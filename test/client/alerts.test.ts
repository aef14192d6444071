/** The form of a rule: whatever it writes, the server reads as it was meant. */
import { expect, test } from '@jest/globals';
import {
  CONDITIONS,
  draftOf,
  draftText,
  isState,
  type RuleDraft,
} from '../../client/features/alerts/rule-draft.ts';
import { parseRule } from '../../src/domain/alerts/rule-text.ts';
import { isRated } from '../../src/domain/values/metric.ts';
import { shippedMetrics as metrics } from '../support/catalogue.ts';

const draft: RuleDraft = {
  chipId: 'demo-64',
  scope: 'QUBIT',
  part: '',
  metric: { name: 't1', unit: 'μs' },
  condition: 'BELOW',
  amount: 20,
  days: 7,
};

test('each condition of each rated metric, of any part and of one', () => {
  for (const metric of metrics.metrics.filter(isRated)) {
    const { scope } = metric;
    for (const condition of CONDITIONS) {
      for (const part of ['', scope === 'QUBIT' ? 'Q7' : 'Q3-Q4']) {
        for (const days of [1, 7, null]) {
          const text = draftText({ ...draft, scope, metric, condition, part, days, chipId: 'my chip' });
          const { rule, problem } = parseRule(text, { metrics });
          expect({ text, problem }).toEqual({ text, problem: null });
          expect(rule).toMatchObject({
            chipId: 'my chip',
            kind: scope,
            qid: part === '' ? null : part.replaceAll('Q', ''),
            parameter: isState(condition) ? null : metric.name,
            test: { is: condition },
          });
          // Read back into the form, it writes the same line.
          if (rule === null) continue;
          const { test: of, qid: partId } = rule;
          const amount = isState(condition) || condition === 'OLDER' ? null : draft.amount;
          const hours = 'hours' in of ? of.hours : null;
          const again = draftOf({ ...rule, partId, condition, amount, hours }, () => metric.unit);
          expect(draftText({ ...again, metric: again.metric ?? metric })).toBe(text);
        }
      }
    }
  }
});
