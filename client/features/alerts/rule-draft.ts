/** The form of a rule, and the line of text that it writes. What the text means, the server decides. */

export const CONDITIONS = [
  'BELOW',
  'ABOVE',
  'FALLS',
  'RISES',
  'WORSENS',
  'OLDER',
  'DISABLED',
  'MISSING',
  'DOUBTFUL',
] as const;
export type Condition = (typeof CONDITIONS)[number];

export type RuleDraft = {
  readonly chipId: string;
  readonly scope: 'QUBIT' | 'COUPLING';
  /** `Q27`; empty: any. */
  readonly part: string;
  /** Key; null for a state of the part. */
  readonly metric: { readonly name: string; readonly unit: string } | null;
  readonly condition: Condition;
  readonly amount: number;
  /** Days back; null: since the cool-down. */
  readonly days: number | null;
};

/** What the server read in a line, as fields; `unitOf`: of a parameter. */
export const draftOf = (
  terms: RuleTerms,
  unitOf: (name: string, scope: RuleDraft['scope']) => string,
): RuleDraft => ({
  chipId: terms.chipId,
  scope: terms.kind,
  part: terms.partId === null ? '' : terms.partId.replace(/\b\d+\b/gu, 'Q$&'),
  metric:
    terms.parameter === null ? null : { name: terms.parameter, unit: unitOf(terms.parameter, terms.kind) },
  condition: terms.condition,
  amount: terms.amount ?? (terms.condition === 'OLDER' ? (terms.hours ?? 0) / 24 : 20),
  days: terms.hours === null ? null : terms.hours / 24,
});

/** A rule as data. */
type RuleTerms = {
  readonly chipId: string;
  readonly kind: RuleDraft['scope'];
  readonly partId: string | null;
  readonly parameter: string | null;
  readonly condition: Condition;
  readonly amount: number | null;
  readonly hours: number | null;
};

/** Whether a condition compares with an earlier value. */
export const isChange = (condition: Condition): boolean =>
  condition === 'FALLS' || condition === 'RISES' || condition === 'WORSENS';
/** Whether a condition is about the part and needs no parameter. */
export const isState = (condition: Condition): boolean =>
  condition === 'DISABLED' || condition === 'MISSING' || condition === 'DOUBTFUL';

/** What the amount of a condition is counted in. */
export const amountUnit = ({ condition, metric }: Pick<RuleDraft, 'condition' | 'metric'>): string =>
  condition === 'WORSENS' ? 'σ' : isChange(condition) ? '%' : (metric?.unit ?? '');

/** `t1 of any qubit on demo-64 below 20 μs` */
export function draftText(draft: RuleDraft): string {
  const { chipId, scope, part, metric, condition, amount, days } = draft;
  const of = isState(condition) || metric === null ? '' : `${quoted(metric.name)} of `;
  const which = part.trim() === '' ? `any ${scope === 'QUBIT' ? 'qubit' : 'coupling'}` : quoted(part.trim());
  return `${of}${which} on ${quoted(chipId)} ${conditionText({ condition, metric, amount, days })}`;
}

function conditionText({
  condition,
  metric,
  amount,
  days,
}: Pick<RuleDraft, 'condition' | 'metric' | 'amount' | 'days'>): string {
  const within = days === null ? 'since cooldown' : `within ${days} days`;
  switch (condition) {
    case 'BELOW':
    case 'ABOVE':
      return `${condition.toLowerCase()} ${amount} ${metric?.unit ?? ''}`.trim();
    case 'FALLS':
    case 'RISES':
      return `${condition.toLowerCase()} by ${amount} % ${within}`;
    case 'WORSENS':
      return `worsens by ${amount} sigma ${within}`;
    case 'OLDER':
      return `older than ${amount} days`;
    case 'DISABLED':
    case 'MISSING':
    case 'DOUBTFUL':
      return `is ${condition.toLowerCase()}`;
  }
}

const quoted = (name: string): string => (/\s/u.test(name) ? `"${name}"` : name);
