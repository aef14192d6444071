/** Milliseconds on a clock that all processes of a machine share; only differences mean something. */
export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Microseconds of processor time that this process, its threads included, used for `work`; children are not in it. */
export async function cpuUsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
