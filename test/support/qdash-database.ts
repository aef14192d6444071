/**
 * A database with QDash's indexes and documents in its shapes, of either age, to be read through the real driver. Test
 * files own the documents; defaults are those of a current deployment.
 */
import { MongoClient, ObjectId } from 'mongodb';
import type { Db, Document } from 'mongodb';
import type { Viewer } from '../../src/domain/conversation/session.ts';
import { createQdashIndexes } from '../../src/import/qdash-indexes.ts';
import type { CalibrationServices } from '../../src/services/calibration/calibration-services.ts';
import { createCalibrationServices } from '../../src/services/calibration/calibration-services.ts';
import { createMongoCalibrationStore } from '../../src/stores/mongo/calibration-store.ts';
import { shippedMetrics, shippedTopologies } from './catalogue.ts';
import { createTestMongo, type TestMongo } from './databases.ts';

/** The time at which tests ask. */
export const NOW = new Date('2026-02-25T00:00:00Z');

/** Someone in project `p1`, where test documents are unless they say otherwise. */
export const viewer: Viewer = { id: 'u1', name: 'rin', projectId: 'p1', role: 'owner', isOperator: true };

/** A test database, its services, and the names of the commands that were sent since `commands` was last emptied. */
export type QdashDatabase = {
  readonly db: Db;
  readonly services: CalibrationServices;
  readonly commands: string[];
  /** The driver's client, for tests that look at what it sends. */
  readonly client: MongoClient;
  readonly close: () => Promise<void>;
};

/** An empty database with QDash's indexes, read with the calendar of `timeZone`. */
export async function openQdashDatabase(
  project: string | null = null,
  timeZone = 'UTC',
  place: Promise<TestMongo> = createTestMongo(),
): Promise<QdashDatabase> {
  const { uri, dbName, drop } = await place;
  const client = await MongoClient.connect(uri, { monitorCommands: true });
  const db = client.db(dbName);
  await createQdashIndexes(db);
  const commands: string[] = [];
  client.on('commandStarted', ({ commandName }) => commands.push(commandName));
  const services = createCalibrationServices({
    store: createMongoCalibrationStore(db),
    metrics: shippedMetrics,
    topologies: shippedTopologies,
    project,
    timeZone,
    now: () => NOW,
  });
  return {
    db,
    services,
    commands,
    client,
    close: async () => {
      await client.close();
      await drop();
    },
  };
}

/** A parameter as QDash keeps it. */
export function parameter(value: unknown, unit = 'μs', rest: Document = {}): Document {
  return {
    parameter_name: '',
    qid_role: '',
    value,
    value_type: 'float',
    error: 0,
    unit,
    description: '',
    calibrated_at: new Date('2026-02-24T02:00:00Z'),
    execution_id: '20260224-001',
    task_id: '',
    ...rest,
  };
}

/** A row of `chip`. */
export function chipDocument(chipId: string, rest: Document = {}): Document {
  return {
    project_id: 'p1',
    username: 'rin',
    chip_id: chipId,
    size: 16,
    topology_id: 'square-lattice-mux-16',
    installed_at: new Date('2026-01-12T03:00:00Z'),
    activity_status: 'active',
    ...rest,
  };
}

/** A row of `qubit` or `coupling`. */
export function entityDocument(
  chipId: string,
  qid: string,
  data: Document = {},
  rest: Document = {},
): Document {
  return { project_id: 'p1', username: 'rin', chip_id: chipId, qid, status: 'pending', data, ...rest };
}

/** A row of `task_result_history`: a completed T1 run that ended at `at`. */
export function resultDocument(chipId: string, qid: string, at: string, rest: Document = {}): Document {
  const endAt = new Date(at);
  const id = new ObjectId();
  const outputs = rest['output_parameters'] ?? { t1: parameter(48) };
  return {
    _id: id,
    project_id: 'p1',
    username: 'rin',
    task_id: `task-${id.toHexString()}`,
    name: 'CheckT1',
    status: 'completed',
    message: '',
    input_parameters: {},
    output_parameters: outputs,
    output_parameter_names: Object.keys(outputs),
    run_parameters: {},
    start_at: new Date(endAt.getTime() - 30_000),
    end_at: endAt,
    elapsed_time: 30,
    task_type: qid.includes('-') ? 'coupling' : 'qubit',
    qid,
    execution_id: '20260224-001',
    tags: [],
    chip_id: chipId,
    cooldown_id: '',
    excluded: false,
    ...rest,
  };
}

/** A T1 result of the given value. */
export const t1Result = (
  chipId: string,
  qid: string,
  at: string,
  value: unknown,
  rest: Document = {},
): Document => resultDocument(chipId, qid, at, { output_parameters: { t1: parameter(value) }, ...rest });
