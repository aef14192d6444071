/** The composition root of a process that only works on jobs: what answers, the runner and the queue, without a server. */
import type { Config } from '../config/config.ts';
import { withResources } from '../base/resource-stack.ts';
import { openGround, openWork, type ProcessOptions } from './process.ts';

/** A running worker. */
export type WorkerProcess = {
  /** Takes no more jobs, lets phases end for the drain time, puts the rest in line again, and closes everything. */
  stop(): Promise<void>;
};

/** Starts to work. @throws StartupError for what a person has to change; whatever was opened is closed again. */
export function startWorkerProcess(config: Config, options: ProcessOptions): Promise<WorkerProcess> {
  return withResources(async (resources) => {
    const ground = await openGround(config, options, resources);
    // Even where it runs the stores itself, a server may share them.
    await openWork(ground, { now: () => new Date(), isOnlyServer: false }, resources);
    const parts = resources.move();
    let stopping: Promise<void> | undefined;
    return { stop: () => (stopping ??= parts.closeAll()) };
  });
}
