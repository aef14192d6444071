import type { AreaFindings, Finding } from './finding.ts';

/** Clocks may differ by this much without anybody noticing. */
const UNNOTICED_MS = 2_000;
/** Beyond this, windows such as "the last hour" show something else than they say. */
const MISLEADING_MS = 60_000;

/** Compares a server's clock with that of this machine; the answer is taken to be from the middle of the wait for it. */
export async function clockFinding(say: AreaFindings, readClock: () => Promise<Date>): Promise<Finding> {
  const asked = Date.now();
  const theirs = (await readClock()).getTime();
  const answered = Date.now();
  const skewMs = theirs - (asked + answered) / 2;
  const size = Math.max(0, Math.abs(skewMs) - (answered - asked) / 2);
  if (size <= UNNOTICED_MS) return say.ok('its clock agrees with that of this machine');
  const message = `its clock is ${Math.round(size / 1000)} s ${skewMs > 0 ? 'ahead of' : 'behind'} that of this machine`;
  const advice = 'let both machines keep their clocks by NTP; ages and windows of time are off by that much';
  return size > MISLEADING_MS ? say.problem(message, advice) : say.warning(message, advice);
}
