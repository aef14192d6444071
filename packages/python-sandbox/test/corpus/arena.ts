import type { PythonSandbox, PythonSandboxOptions } from '../../src/python-sandbox.ts';
import type { EngineName, SandboxAvailability } from '../../src/walls.ts';
import { openSandbox } from '../support/sandbox.ts';
import type { Ending, Technique } from './technique.ts';

/** Where techniques of one engine are tried. The caller closes it. */
export type Arena = {
  /** The sandbox that a technique is for, and how long it may run in there. */
  of(technique: Technique): { readonly sandbox: PythonSandbox; readonly timeoutMs: number };
  availability(): Promise<SandboxAvailability>;
  close(): Promise<void>;
};

/** Enough on a machine with other things to do: what ends by itself is to end as it should. */
const PATIENT = { timeoutMs: 60_000, warmProcesses: 3 };
/** For those that do not end. They sleep or keep one core, so they can wait for their end beside the others. */
const HASTY = { timeoutMs: 1_200, warmProcesses: 2 };
const ALL_AT_ONCE = { queueLength: 1_000, queueWaitMs: 3_600_000 };

const MEMORY: readonly Ending[] = ['out of memory', 'stopped for memory'];

/** Two sandboxes of one engine. */
export function openArena(engine: EngineName, options: Partial<PythonSandboxOptions> = {}): Arena {
  const open = (limits: typeof PATIENT) => ({
    timeoutMs: limits.timeoutMs,
    sandbox: openSandbox({ ...options, engine, limits: { ...ALL_AT_ONCE, ...limits } }),
  });
  const patient = open(PATIENT);
  const hasty = open(HASTY);
  return {
    of: ({ endings }) => {
      const mayRunOn = endings[engine].includes('stopped for time');
      return mayRunOn && !endings[engine].some((each) => MEMORY.includes(each)) ? hasty : patient;
    },
    availability: () => patient.sandbox.availability(),
    close: async () => {
      await Promise.all([patient.sandbox.close(), hasty.sandbox.close()]);
    },
  };
}
