/**
 * Whole databases as QDash of either age leaves them behind, with the oddities that real ones have: rows of several
 * users, bare values, text for times and durations, ids that are no numbers, rows of no project. Every number is said
 * here once, so that tests can compute what must come out.
 */
import type { Db, Document } from 'mongodb';
import { chipDocument, entityDocument, parameter, resultDocument } from './qdash-database.ts';

/** Which QDash wrote the database: that of the first copilot, or the current one. */
export type QdashAge = 'V1' | 'HEAD';

/** The chip of the fixture, in project `p1`; project `p2` has one of the same name. */
export const AGED_CHIP = 'aged';
/** Days with results, oldest first; all at 02:00 UTC. */
export const AGED_DAYS = ['2026-02-21', '2026-02-22', '2026-02-23'] as const;
/** Qubits of the fixture. The last id is one that a lab made up. */
export const AGED_QIDS = ['0', '1', '2', '3', 'readout-test'] as const;

/** T1 in μs of a qubit on a day, by their places in the lists above. */
export const agedT1 = (qubit: number, day: number): number => 40 + 2 * qubit + day;

const executionIdOf = (day: string): string => `${day.replaceAll('-', '')}-001`;
const taskIdOf = (qid: string, day: string): string => `t1-${qid}-${day}`;

/** Fields that the current version added and the first did not know. */
const HEAD_ONLY = [
  'user_id',
  'note',
  'user_note',
  'metric_notes',
  'quality_metrics',
  'excluded',
  'cooldown_id',
  'current_cooldown_id',
  'activity_status',
];

/** Collections that the current version added. */
const HEAD_COLLECTIONS = [
  'chip_note',
  'target_note',
  'metric_note',
  'cooldown',
  'cooldown_wiring_event',
  'issue',
  'issue_knowledge',
  'forum_post',
];

/** Fills `db`, which must be empty. */
export async function writeAgedDatabase(db: Db, age: QdashAge): Promise<void> {
  if (age === 'V1') await Promise.all(HEAD_COLLECTIONS.map((name) => db.dropCollection(name)));
  const rows = age === 'HEAD' ? headRows() : withoutHeadFields(commonRows());
  for (const [collection, documents] of Object.entries(rows)) {
    if (documents.length > 0) await db.collection(collection).insertMany([...documents]);
  }
}

type Rows = Readonly<Record<string, readonly Document[]>>;

function commonRows(): Rows {
  const results = AGED_DAYS.flatMap((day, dayIndex) =>
    AGED_QIDS.map((qid, qubit) => t1Run(qid, day, agedT1(qubit, dayIndex))),
  );
  return {
    project: ['p1', 'p2'].map((project_id) => ({ project_id, name: project_id, owner_username: 'rin' })),
    chip: [
      chipDocument(AGED_CHIP, { username: 'ann' }),
      chipDocument(AGED_CHIP, { username: 'rin' }),
      chipDocument(AGED_CHIP, { project_id: 'p2' }),
    ],
    qubit: [
      ...AGED_QIDS.flatMap(qubitRows),
      entityDocument(AGED_CHIP, '0', { t1: parameter(999) }, { project_id: 'p2' }),
    ],
    coupling: [
      entityDocument(AGED_CHIP, '0-1', { zx90_gate_fidelity: parameter(0.97, 'a.u.') }),
      entityDocument(AGED_CHIP, '1-0'),
    ],
    task_result_history: [
      ...results,
      t1Run('0', '2026-02-24', 999, { project_id: 'p2', task_id: 'foreign' }),
      t1Run('0', '2026-02-24', 888, { project_id: null, task_id: 'nobodys' }),
      t1Run('1', '2026-02-24', 0, {
        task_id: 'failed',
        status: 'failed',
        output_parameters: {},
        output_parameter_names: [],
      }),
    ],
    execution_history: AGED_DAYS.map((day, index) => ({
      project_id: 'p1',
      username: 'rin',
      execution_id: executionIdOf(day),
      name: 'Daily',
      status: index === 0 ? 'failed' : 'completed',
      tags: index === 2 ? ['daily', 'full'] : ['daily'],
      chip_id: AGED_CHIP,
      // One run was written by a tool that keeps ISO text.
      start_at: index === 1 ? `${day}T01:55:00+00:00` : new Date(`${day}T01:55:00Z`),
      end_at: new Date(`${day}T02:00:12Z`),
      elapsed_time: ['0:05:12', 312, null][index],
      message: '',
    })),
    calibration_note: AGED_DAYS.map((day, index) => ({
      project_id: 'p1',
      username: 'rin',
      chip_id: AGED_CHIP,
      execution_id: executionIdOf(day),
      task_id: 'master',
      note: { rabi_params: { Q00: { amplitude: (40 + index) / 100 } } },
      version: index + 1,
      timestamp: new Date(`${day}T02:01:00Z`),
    })),
    ...provenanceRows(),
  };
}

function t1Run(qid: string, day: string, value: number, rest: Document = {}): Document {
  // Old rows hold the bare number; the first qubit's do.
  const t1 = qid === '0' ? value : parameter(value, 'us');
  return resultDocument(AGED_CHIP, qid, `${day}T02:00:00Z`, {
    task_id: taskIdOf(qid, day),
    execution_id: executionIdOf(day),
    output_parameters: { t1 },
    output_parameter_names: ['t1'],
    task_type: 'qubit',
    elapsed_time: '30 seconds',
    cooldown_id: '2026-001',
    ...rest,
  });
}

/** Two users' rows of each qubit: the older one's value is out of date. */
function qubitRows(qid: string, qubit: number): readonly Document[] {
  const newest = AGED_DAYS.length - 1;
  const at = (day: number) => new Date(`${AGED_DAYS[day] ?? ''}T02:00:00Z`);
  const valueOf = (day: number) => parameter(agedT1(qubit, day), 'μs', { calibrated_at: at(day) });
  return [
    entityDocument(AGED_CHIP, qid, { t1: valueOf(newest) }),
    entityDocument(AGED_CHIP, qid, { t1: valueOf(0), nickname: 'Bob' }, { username: 'ann' }),
  ];
}

/** T1 of qubit 1 by version; the second was written for another chip, which shares the counter. */
function provenanceRows(): Rows {
  const versions = [AGED_CHIP, 'other', AGED_CHIP].map((chip_id, index) => {
    const day = AGED_DAYS[index] ?? '';
    const next = AGED_DAYS[index + 1];
    const chain = { execution_id: executionIdOf(day), task_id: taskIdOf('1', day) };
    return {
      entity_id: `t1:1:${chain.execution_id}:${chain.task_id}`,
      parameter_name: 't1',
      qid: '1',
      value: agedT1(1, index),
      value_type: 'float',
      unit: 'μs',
      error: 0,
      version: index + 1,
      valid_from: new Date(`${day}T02:00:00Z`),
      valid_until: next === undefined ? null : new Date(`${next}T02:00:00Z`),
      task_name: 'CheckT1',
      project_id: 'p1',
      chip_id,
      ...chain,
    };
  });
  const [first, , last] = versions;
  if (!first || !last) throw new Error('the fixture has three versions');
  const activity_id = `${last.execution_id}:${last.task_id}`;
  const relation = (relation_type: string, source_id: string, target_id: string) => ({
    relation_id: `${relation_type}:${source_id}:${target_id}`,
    relation_type,
    source_type: source_id === activity_id ? 'activity' : 'entity',
    source_id,
    target_type: target_id === activity_id ? 'activity' : 'entity',
    target_id,
    created_at: last.valid_from,
    project_id: 'p1',
    execution_id: last.execution_id,
  });
  return {
    parameter_versions: versions,
    provenance_activities: [
      {
        activity_id,
        execution_id: last.execution_id,
        task_id: last.task_id,
        task_name: 'CheckT1',
        task_type: 'qubit',
        qid: '1',
        started_at: last.valid_from,
        ended_at: last.valid_from,
        status: 'completed',
        project_id: 'p1',
        chip_id: AGED_CHIP,
      },
    ],
    provenance_relations: [
      relation('wasGeneratedBy', last.entity_id, activity_id),
      relation('used', activity_id, first.entity_id),
      relation('wasDerivedFrom', last.entity_id, first.entity_id),
      relation('used', activity_id, 'qubit_frequency:1:lost:lost'),
    ],
  };
}

/** What the current version keeps beside: exclusions, cool-downs, and what people wrote, in all its places. */
function headRows(): Rows {
  const rows = commonRows();
  const noted = (content: string, day: string) => ({
    content,
    updated_by: 'ann',
    updated_at: new Date(`${day}T12:00:00Z`),
  });
  const scoped = (rest: Document) => ({
    project_id: 'p1',
    chip_id: AGED_CHIP,
    scope_type: 'cooldown',
    scope_key: 'cooldown:2026-001',
    cooldown_id: '2026-001',
    ...rest,
  });
  const inP1 = (row: Document) => row['project_id'] === 'p1';
  return {
    ...rows,
    chip: (rows['chip'] ?? []).map((row) => ({
      ...row,
      user_id: 'usr_1',
      current_cooldown_id: '2026-001',
      note: inP1(row) ? noted('Second thermal cycle', '2026-02-20') : noted('of p2', '2026-02-20'),
    })),
    qubit: (rows['qubit'] ?? []).map((row) =>
      inP1(row) && row['qid'] === '2' && row['username'] === 'rin'
        ? {
            ...row,
            note: noted('Noisy line', '2026-02-21'),
            metric_notes: { t1: noted('T1 drifts', '2026-02-22') },
          }
        : row,
    ),
    task_result_history: [
      ...(rows['task_result_history'] ?? []),
      t1Run('2', '2026-02-24', 500, {
        task_id: 'excluded',
        excluded: true,
        excluded_reason: 'Pump was on',
        user_note: noted('Pump was on', '2026-02-24'),
      }),
    ],
    chip_note: [scoped({ note: noted('Cool-down went well', '2026-02-23') })],
    target_note: [
      scoped({ target_type: 'coupling', target_id: '0-1', note: noted('Strong ZZ', '2026-02-23') }),
    ],
    metric_note: [
      scoped({
        target_type: 'qubit',
        target_id: '2',
        metric_key: 't1',
        note: noted('Still drifts', '2026-02-23'),
      }),
      scoped({
        target_type: 'qubit',
        target_id: '3',
        metric_key: 't1',
        note: { content: '', updated_at: null },
      }),
    ],
    cooldown: [
      {
        project_id: 'p1',
        cooldown_id: '2026-001',
        cryo_id: 'fridge-a',
        description: 'Second cycle',
        started_at: new Date('2026-01-12T00:00:00Z'),
        ended_at: null,
        chip_ids: [AGED_CHIP],
      },
    ],
  };
}

const withoutHeadFields = (rows: Rows): Rows =>
  Object.fromEntries(
    Object.entries(rows).map(([collection, documents]) => [
      collection,
      documents.map((document) =>
        Object.fromEntries(
          Object.entries(document).filter(
            ([field]) =>
              !HEAD_ONLY.includes(field) || (collection === 'calibration_note' && field === 'note'),
          ),
        ),
      ),
    ]),
  );
