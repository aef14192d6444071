/**
 * Runs an embedded Postgres on the folder given as the first argument until it is killed; prints its address and
 * pid as JSON.
 */
import { startPostgres } from '../src/postgres/start.ts';

const { url, pid } = await startPostgres({ dir: process.argv[2] ?? '' });
process.stdout.write(`${JSON.stringify({ url, pid })}\n`);
