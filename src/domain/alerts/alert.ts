/** Alerts: that a rule warns of a part, from when to when. */
import type { AlertEvidence } from './evaluate.ts';
import type { AlertRule } from './rule.ts';

/** How an alert came to its end; `TWIN`: that of the other direction of the pair says the same. */
const ALERT_ENDINGS = ['RECOVERED', 'TWIN', 'MUTED', 'RULE_CHANGED'] as const;
export type AlertEnding = (typeof ALERT_ENDINGS)[number];

export type Alert = {
  readonly id: string;
  readonly ruleId: string;
  readonly projectId: string;
  readonly chipId: string;
  readonly kind: AlertRule['kind'];
  readonly qid: string;
  readonly label: string;
  readonly parameter: string | null;
  /** The rule as it was. */
  readonly ruleText: string;
  /** What it rests on as of the last evaluation. */
  readonly evidence: AlertEvidence;
  readonly openedAt: Date;
  readonly closedAt: Date | null;
  readonly ending: AlertEnding | null;
  /** The value that it recovered with; null for other endings. */
  readonly recovery: AlertEvidence | null;
  readonly acknowledgedBy: string | null;
  readonly acknowledgedAt: Date | null;
  readonly note: string | null;
};

/** What the last evaluation of a rule came to. `NOTHING`: there is nothing to judge; `FAILED`: it could not be evaluated. */
const RULE_OUTCOMES = ['NEW', 'QUIET', 'WARNS', 'NOTHING', 'FAILED'] as const;
export type RuleOutcome = (typeof RULE_OUTCOMES)[number];

export type StoredRule = {
  readonly id: string;
  readonly projectId: string;
  /** Who wrote it last. */
  readonly viewerId: string;
  readonly rule: AlertRule;
  readonly text: string;
  readonly isEnabled: boolean;
  readonly destinationIds: readonly string[];
  readonly outcome: RuleOutcome;
  /** Of the last evaluation, in words. */
  readonly words: string;
  readonly evaluatedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export const ALERT_LIMITS = {
  rulesPerProject: 100,
  destinationsPerProject: 20,
  destinationsPerRule: 5,
  openPerRule: 1_100,
  noteCharacters: 500,
  /** One message of a part for the same rule in this time: what opens again within it waits, and is dropped if it closes. */
  repeatHours: 6,
  /** All rules are evaluated after this time even if nothing changed: for ages and ends of mutes. */
  clockMinutes: 10,
  /** From its end on. */
  keptDays: 365,
  /** Messages about ended turns and jobs, of which there are more. */
  endedKeptDays: 30,
} as const;
