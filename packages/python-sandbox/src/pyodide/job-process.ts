/** Entry of a contained process: boots one sealed realm, reports ready, runs exactly one job and is killed. */
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
  /** The supervisor refuses longer replies. */
  readonly replyBytes: number;
};

const config = containedConfig<JobConfig>();
const realm = await openJobRealm(config);
hardenProcess();
realm.seal();
writeLine('{"ready":true}');

const job = readJob();
const answer = realm.run(job.code, job.dataJson, job.optionsJson);
// No answer: the interpreter broke. Do not ask the realm why.
writeLine(answer === undefined || answer.length > config.replyBytes ? '{"broken":true}' : answer);
process.exit(0);
