/** A contained process: boots one sealed realm, says that it is ready, runs exactly one job and is killed. */
import { containedConfig, readJob, writeLine } from './contained-io.ts';
import { hardenProcess } from './harden.ts';
import { openJobRealm } from './job-realm.ts';
import type { RealmAssets, RealmWheels } from './realm.ts';

/** Configuration of a job process. */
export type JobConfig = {
  readonly assets: RealmAssets;
  readonly snapshotPath: string;
  readonly wasmPages: number;
  readonly wheels: RealmWheels | null;
  /** A longer answer is not worth sending, since the supervisor refuses it. */
  readonly replyBytes: number;
};

const config = containedConfig<JobConfig>();
const realm = await openJobRealm(config);
hardenProcess();
realm.seal();
writeLine('{"ready":true}');

const job = readJob();
const answer = realm.run(job.code, job.dataJson, job.optionsJson);
// Without an answer the interpreter broke; the realm is not asked why.
writeLine(answer === undefined || answer.length > config.replyBytes ? '{"broken":true}' : answer);
process.exit(0);
