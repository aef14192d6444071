/** The indexes of a QDash deployment, made in databases of our own so that queries run there as they do on QDash's. */
import type { Db, IndexDescription } from 'mongodb';

const noted = (field: string): IndexDescription => ({
  key: { project_id: 1, chip_id: 1, [`${field}.updated_at`]: -1 },
  partialFilterExpression: { [`${field}.updated_at`]: { $type: 'date' } },
});

/** Of notes on a chip or on parts of it: unique by scope, and found by the range that they are about. */
const noteIndexes = (...target: readonly string[]): readonly IndexDescription[] => {
  const ofChip = { project_id: 1, chip_id: 1 };
  const ofTarget = Object.fromEntries(target.map((field) => [field, 1]));
  return [
    { key: { ...ofChip, ...ofTarget, scope_key: 1 }, unique: true },
    { key: { ...ofChip, scope_started_at: -1, scope_ended_at: -1 } },
  ];
};

const entityIndexes: readonly IndexDescription[] = [
  { key: { project_id: 1, chip_id: 1, qid: 1, username: 1 }, unique: true },
  { key: { project_id: 1, chip_id: 1 } },
];

const INDEXES: Readonly<Record<string, readonly IndexDescription[]>> = {
  project: [
    { key: { project_id: 1 }, unique: true },
    { key: { owner_username: 1, name: 1 }, unique: true },
  ],
  chip: [
    { key: { project_id: 1, chip_id: 1, username: 1 }, unique: true },
    { key: { project_id: 1, username: 1, installed_at: -1 } },
    { key: { project_id: 1, user_id: 1, installed_at: -1 } },
  ],
  qubit: entityIndexes,
  coupling: entityIndexes,
  task_result_history: [
    { key: { project_id: 1, task_id: 1 }, unique: true },
    { key: { project_id: 1, execution_id: 1 } },
    { key: { project_id: 1, chip_id: 1, start_at: -1 } },
    { key: { project_id: 1, chip_id: 1, name: 1, qid: 1, end_at: -1 } },
    { key: { project_id: 1, chip_id: 1, task_type: 1, qid: 1, start_at: -1 } },
    { key: { project_id: 1, chip_id: 1, tags: 1, start_at: 1 } },
    { key: { chip_id: 1, username: 1, task_type: 1, status: 1, start_at: -1 } },
    { key: { project_id: 1, source_task_id: 1 }, sparse: true },
    { key: { project_id: 1, cooldown_id: 1, start_at: -1 } },
    noted('user_note'),
    noted('ai_review_note'),
  ],
  execution_history: [
    { key: { project_id: 1, execution_id: 1 }, unique: true },
    { key: { project_id: 1, chip_id: 1, start_at: -1 } },
    { key: { project_id: 1, chip_id: 1 } },
    { key: { project_id: 1, username: 1, start_at: -1 } },
    { key: { project_id: 1, user_id: 1, start_at: -1 } },
  ],
  calibration_note: [
    { key: { project_id: 1, execution_id: 1, task_id: 1, username: 1, chip_id: 1 }, unique: true },
    { key: { project_id: 1, chip_id: 1, timestamp: 1 }, name: 'project_chip_timestamp_idx' },
  ],
  chip_note: noteIndexes(),
  target_note: noteIndexes('target_type', 'target_id'),
  metric_note: noteIndexes('target_type', 'target_id', 'metric_key'),
  cooldown: [
    { key: { project_id: 1, cooldown_id: 1 }, unique: true },
    { key: { project_id: 1, chip_ids: 1, started_at: -1 } },
    { key: { project_id: 1, started_at: -1 } },
  ],
  cooldown_wiring_event: [{ key: { project_id: 1, cooldown_id: 1, created_at: -1 } }],
  issue: [
    { key: { project_id: 1, task_id: 1, 'system_info.created_at': 1 } },
    { key: { project_id: 1, parent_id: 1 } },
  ],
  issue_knowledge: [
    { key: { project_id: 1, task_name: 1, status: 1 } },
    { key: { project_id: 1, issue_id: 1 } },
    { key: { project_id: 1, 'system_info.created_at': -1 } },
  ],
  forum_post: [
    { key: { project_id: 1, parent_id: 1, is_deleted: 1, 'system_info.created_at': 1 } },
    { key: { project_id: 1, category: 1, is_deleted: 1, 'system_info.created_at': 1 } },
  ],
  parameter_versions: [
    { key: { entity_id: 1 }, unique: true },
    { key: { project_id: 1, parameter_name: 1, qid: 1, version: -1 } },
    { key: { project_id: 1, parameter_name: 1, qid: 1, valid_until: 1 } },
    { key: { project_id: 1, execution_id: 1 } },
    { key: { project_id: 1, task_id: 1 } },
    { key: { project_id: 1, chip_id: 1, valid_from: -1 } },
    { key: { project_id: 1, parameter_name: 1, qid: 1, version: 1 }, unique: true },
  ],
  provenance_relations: [
    { key: { relation_id: 1 }, unique: true },
    { key: { project_id: 1, source_type: 1, source_id: 1, relation_type: 1 } },
    { key: { project_id: 1, target_type: 1, target_id: 1, relation_type: 1 } },
    { key: { project_id: 1, execution_id: 1 } },
    { key: { project_id: 1, relation_type: 1, created_at: -1 } },
  ],
  provenance_activities: [
    { key: { activity_id: 1 }, unique: true },
    { key: { project_id: 1, execution_id: 1 } },
    { key: { project_id: 1, task_name: 1, qid: 1, started_at: -1 } },
  ],
};

/** Creates what is missing. Only for databases that belong to QPilot. */
export async function createQdashIndexes(db: Db): Promise<void> {
  for (const [collection, indexes] of Object.entries(INDEXES)) {
    await db.collection(collection).createIndexes([...indexes]);
  }
}
