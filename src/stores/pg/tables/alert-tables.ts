import type { Generated } from 'kysely';
import type { AlertEnding, RuleOutcome } from '../../../domain/alerts/alert.ts';
import type {
  DeliveryAbout,
  DeliveryState,
  DestinationEvent,
  DestinationKind,
  DestinationTarget,
  QuietHours,
} from '../../../domain/alerts/destination.ts';
import type { EndedWork } from '../../../domain/alerts/ended-work.ts';
import type { AlertRule } from '../../../domain/alerts/rule.ts';
import type { Json, LaterJson, Later } from './columns.ts';

export type AlertRulesTable = {
  id: string;
  project_id: string;
  viewer_id: string;
  chip_id: string;
  text: string;
  rule: Json<AlertRule>;
  is_enabled: boolean;
  destination_ids: Json<readonly string[]>;
  outcome: RuleOutcome;
  words: string;
  data_version: Later<string>;
  evaluated_at: Later<Date>;
  checked_at: Later<Date>;
  claim: Later<string>;
  claimed_until: Later<Date>;
  created_at: Date;
  updated_at: Date;
};

/** {@link AlertEvidence} as JSON has it, with its time as text. */
export type StoredEvidence = {
  readonly value: number | null;
  readonly before: number | null;
  readonly unit: string;
  readonly measuredAt: string | null;
  readonly taskId: string | null;
  readonly words: string;
};

export type AlertsTable = {
  id: string;
  rule_id: string;
  project_id: string;
  chip_id: string;
  kind: AlertRule['kind'];
  qid: string;
  label: string;
  parameter: string | null;
  rule_text: string;
  evidence: Json<StoredEvidence>;
  opened_at: Date;
  closed_at: Later<Date>;
  ending: Later<AlertEnding>;
  recovery: LaterJson<StoredEvidence>;
  acknowledged_by: Later<string>;
  acknowledged_at: Later<Date>;
  note: Later<string>;
  notify_at: Date;
};

export type AlertDestinationsTable = {
  id: string;
  project_id: string;
  viewer_id: string;
  name: string;
  kind: DestinationKind;
  target: Json<DestinationTarget>;
  quiet: LaterJson<QuietHours>;
  recoveries_since: Later<Date>;
  events: readonly DestinationEvent[];
  failures: Generated<number>;
  failing_since: Later<Date>;
  rests_until: Later<Date>;
  disabled_at: Later<Date>;
  disabled_reason: Later<string>;
  created_at: Date;
  updated_at: Date;
};

export type AlertDeliveriesTable = {
  id: string;
  project_id: string;
  destination_id: string;
  about: DeliveryAbout;
  /** Null of messages about alerts. */
  ended: LaterJson<EndedWork>;
  state: DeliveryState;
  attempts: number;
  next_at: Date;
  claim: Later<string>;
  claimed_until: Later<Date>;
  error: Later<string>;
  response_code: Later<number>;
  created_at: Date;
  sent_at: Later<Date>;
};

export type AlertDeliveryItemsTable = {
  alert_id: string;
  destination_id: string;
  project_id: string;
  /** The message of its opening. */
  delivery_id: string;
  /** The message of its recovery. */
  recovery_id: Later<string>;
};
