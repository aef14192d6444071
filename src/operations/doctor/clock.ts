import type { AreaFindings, Finding } from './finding.ts';

/** Tolerated difference. */
const UNNOTICED_MS = 2_000;
/** Above this, windows such as "the last hour" are misleading. */
const MISLEADING_MS = 60_000;

/** Compares a server's clock with ours, assuming that the reply dates from the middle of the round trip. */
export async function clockFinding(report: AreaFindings, readClock: () => Promise<Date>): Promise<Finding> {
  const asked = Date.now();
  const theirs = (await readClock()).getTime();
  const answered = Date.now();
  const skewMs = theirs - (asked + answered) / 2;
  const size = Math.max(0, Math.abs(skewMs) - (answered - asked) / 2);
  if (size <= UNNOTICED_MS) return report.ok('its clock agrees with this machine');
  const message = `its clock is ${Math.round(size / 1000)} s ${skewMs > 0 ? 'ahead of' : 'behind'} this machine`;
  const advice = 'synchronise both machines with NTP; ages and time windows are off by that much';
  return size > MISLEADING_MS ? report.problem(message, advice) : report.warning(message, advice);
}
