/**
 * Chips to read in a bench: stored as an importer would, and asked through the service, GraphQL and the bare driver.
 */
import { MongoClient } from 'mongodb';
import type { Db } from 'mongodb';
import type { Chip } from '../src/domain/chip/chip.ts';
import type { Stores } from '@qpilot/embedded-stores';
import { openCalibrationWriter } from '../src/import/calibration-writer.ts';
import type { CalibrationServices } from '../src/services/calibration/calibration-services.ts';
import { openChat, VIEWER } from './chat.ts';
import { makeChip, olderResults } from './chip-documents.ts';
import type { ChipSize } from './chip-documents.ts';
import { nowMs } from './cpu.ts';

/** What a bench of reads works on. Whoever opened it closes it. */
export type CalibrationBench = {
  readonly db: Db;
  readonly services: CalibrationServices;
  /** Stores a chip with its history. */
  store(size: ChipSize): Promise<Chip>;
  /** Runs an operation over HTTP and returns the text of its response; fails if that has errors. */
  query(query: string, variables: object): Promise<string>;
  /** Writes something, so that the answers held by the server are not used for the next query. */
  touch(): Promise<void>;
  /** Where operations are sent. */
  readonly url: string;
  close(): Promise<void>;
};

/** Opens the database `bench` with a server over it. */
export async function openCalibrationBench(stores: Stores): Promise<CalibrationBench> {
  const mongo = await MongoClient.connect(stores.mongoUri);
  const db = mongo.db('bench');
  const chat = await openChat(stores);
  const writer = await openCalibrationWriter(db);
  const url = `${(await chat.serve()).url}/graphql`;
  return {
    db,
    services: chat.calibration,
    url,
    async touch() {
      await db
        .collection('touched')
        .updateOne({ times: { $gt: 0 } }, { $inc: { times: 1 } }, { upsert: true });
    },
    async store(size) {
      const documents = makeChip(size);
      await writer.replace(documents);
      const history = db.collection('task_result_history');
      for (const older of olderResults(documents, size.results)) await history.insertMany([...older]);
      return chat.calibration.chips.get(VIEWER, documents.chip.chip_id);
    },
    async query(query, variables) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      });
      const text = await response.text();
      if (text.includes('"errors"')) throw new Error(text.slice(0, 500));
      return text;
    },
    async close() {
      await chat.close();
      await mongo.close();
    },
  };
}

/** Milliseconds that `work` took. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedMs = nowMs();
  await work();
  return nowMs() - startedMs;
}
