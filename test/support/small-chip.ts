/** A chip of two measured qubits, and a control system that measures one of them again. */
import { MongoClient } from 'mongodb';
import type { TestApp } from './create-test-app.ts';
import { chipDocument, entityDocument, parameter, t1Result } from './qdash-database.ts';

const OF_DEMO = { project_id: 'demo' };

/** Documents of chip `C1` for `createTestApp`; T1 of its qubits is 40 μs. */
export const SMALL_CHIP = {
  chip: [chipDocument('C1', OF_DEMO)],
  qubit: ['0', '1'].map((qid) => entityDocument('C1', qid, { t1: parameter(40) }, OF_DEMO)),
  task_result_history: [t1Result('C1', '0', '2026-05-19T20:00:00Z', 40, OF_DEMO)],
};

/** Measures T1 of qubit 1 of `C1` in microseconds. */
export async function measureT1({ environment }: TestApp, value: number): Promise<void> {
  const { MONGODB_URI = '', MONGODB_DB } = environment;
  const client = await MongoClient.connect(MONGODB_URI);
  try {
    const db = client.db(MONGODB_DB);
    const qubit = { ...OF_DEMO, chip_id: 'C1', qid: '1' };
    await db.collection('qubit').updateOne(qubit, { $set: { 'data.t1': parameter(value) } });
    const result = t1Result('C1', '1', '2026-05-19T22:00:00Z', value, OF_DEMO);
    await db.collection('task_result_history').insertOne(result);
  } finally {
    await client.close();
  }
}
