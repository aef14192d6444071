/** A process of its own that runs the server and inserts batches until it is killed. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { startMongo } from '../../src/mongo/start.ts';

type Files = { readonly file: string; readonly socketPath: string };

/** Starts the process, kills it with SIGKILL once enough batches were acknowledged, and returns how many were. */
export async function crashingOwner(
  { file, socketPath }: Files,
  { batchSize, killAfterBatches }: { batchSize: number; killAfterBatches: number },
): Promise<number> {
  const child = fork(fileURLToPath(import.meta.url), [file, socketPath, String(batchSize)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  let acknowledged = 0;
  child.on('message', () => {
    acknowledged++;
    if (acknowledged === killAfterBatches) child.kill('SIGKILL');
  });
  await once(child, 'exit');
  return acknowledged;
}

async function insertForever(file: string, socketPath: string, batchSize: number): Promise<void> {
  const mongo = await startMongo({ file, socketPath });
  const collection = new MongoClient(mongo.uri).db('d').collection('c');
  await collection.createIndex({ batch: 1 });
  for (let batch = 0; ; batch++) {
    await collection.insertMany(Array.from({ length: batchSize }, (_unused, i) => ({ batch, i })));
    process.send?.(batch);
  }
}

const [, script, file, socketPath, batchSize] = process.argv;
if (script === fileURLToPath(import.meta.url) && file && socketPath) {
  await insertForever(file, socketPath, Number(batchSize));
}
