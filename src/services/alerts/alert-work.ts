/**
 * Evaluates rules. A rule is looked at by one server at a time, which claims its row; it is evaluated where the data of its
 * chip changed, and by the clock for ages, cool-downs and mutes that end. What comes of it is stored in one transaction that
 * needs the claim, so a server that was frozen meanwhile stores nothing.
 */
import { randomUUID } from 'node:crypto';
import { InvalidInputError, NotFoundError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { alerts as meters } from '../../base/metrics.ts';
import { ALERT_LIMITS, type RuleOutcome } from '../../domain/alerts/alert.ts';
import { isAlert, type Evaluation } from '../../domain/alerts/evaluate.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { claimRules, ownsRule, releaseRule, type ClaimedRule } from '../../stores/pg/alert-rules.ts';
import { closeAlerts, closeRecovered, openAlerts } from '../../stores/pg/alerts.ts';
import { type Db, transact } from '../../stores/pg/database.ts';
import type { CalibrationServices } from '../calibration/calibration-services.ts';
import { evaluateNow, type EvaluateDeps } from './evaluate-rule.ts';

export type AlertTimes = {
  /** Between two looks at a rule. */
  readonly everyMs: number;
  /** How long a server may take for an evaluation; then another one takes the rule. */
  readonly leaseMs: number;
};

export type AlertWorkDeps = EvaluateDeps & {
  readonly db: Db;
  readonly log: Logger;
  readonly times: AlertTimes;
  readonly calibration: EvaluateDeps['calibration'] & Pick<CalibrationServices, 'chipVersions'>;
};

/** Rules that one server takes at once. */
const AT_ONCE = 10;
const CLOCK_MS = ALERT_LIMITS.clockMinutes * 60_000;

/** Looks at the rules that are due, once. Returns how many it looked at. */
export async function evaluateDueRules(deps: AlertWorkDeps): Promise<number> {
  const claim = randomUUID();
  const rules = await claimRules(deps.db, { ...deps.times, claim, most: AT_ONCE });
  for (const rule of rules) await evaluateClaimed(deps, claim, rule);
  return rules.length;
}

async function evaluateClaimed(deps: AlertWorkDeps, claim: string, rule: ClaimedRule): Promise<void> {
  const { db, calibration, log } = deps;
  const now = deps.now();
  const mine = { id: rule.id, claim };
  try {
    // Read before the values: what changes between the two is seen the next time.
    const scope = { projectId: rule.projectId, chipIds: [rule.rule.chipId] };
    const dataVersion = await calibration.chipVersions.of(scope, true);
    const isDue =
      rule.evaluatedAt === null ||
      (dataVersion !== null && dataVersion !== rule.dataVersion) ||
      now.getTime() - rule.evaluatedAt.getTime() >= CLOCK_MS;
    if (!isDue) return await releaseRule(db, mine, null);
    const evaluation = await judged(deps, rule);
    await store(deps, mine, rule, { evaluation, dataVersion, now });
  } catch (error) {
    // The next look tries again: a store that is away says nothing about a chip.
    log.warn({ err: error, ruleId: rule.id }, 'a rule could not be evaluated');
    await releaseRule(db, mine, null).catch((cause: unknown) =>
      log.warn({ err: cause }, 'a rule stays claimed until its lease ends'),
    );
  }
}

/** Who evaluates: the project, with the least of the roles. */
const asProject = ({ projectId, viewerId }: ClaimedRule): Viewer => ({
  id: viewerId,
  name: viewerId,
  projectId,
  role: 'viewer',
  isOperator: false,
});

/** What is wrong with a rule, such as a chip that is gone, is words that its page shows. */
async function judged(deps: AlertWorkDeps, rule: ClaimedRule): Promise<Evaluation | string> {
  try {
    return await evaluateNow(deps, asProject(rule), rule.rule);
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof InvalidInputError) return error.message;
    throw error;
  }
}

async function store(
  { db, log }: AlertWorkDeps,
  mine: { readonly id: string; readonly claim: string },
  rule: ClaimedRule,
  found: {
    readonly evaluation: Evaluation | string;
    readonly dataVersion: string | null;
    readonly now: Date;
  },
): Promise<void> {
  const { evaluation, dataVersion, now } = found;
  const { repeatHours, openPerRule } = ALERT_LIMITS;
  const result = await transact(db, async (tx) => {
    if (!(await ownsRule(tx, mine.id, mine.claim))) return null;
    if (typeof evaluation === 'string') {
      const failed = { outcome: 'FAILED' as const, words: evaluation, dataVersion, evaluatedAt: now };
      await releaseRule(tx, mine, failed);
      return { outcome: failed.outcome, opened: 0 };
    }
    const { judged: verdicts, words } = evaluation;
    const warned = verdicts.filter(isAlert).slice(0, openPerRule);
    const muted = verdicts.filter(({ isMuted }) => isMuted);
    const twins = verdicts.filter(({ warns, isMuted, isTwin }) => warns && !isMuted && isTwin);
    const recovered = verdicts.filter(({ warns, isMuted }) => !warns && !isMuted);
    const qids = (of: typeof verdicts) => of.map(({ qid }) => qid);
    await closeAlerts(tx, rule, qids(muted), { ending: 'MUTED', now });
    await closeAlerts(tx, rule, qids(twins), { ending: 'TWIN', now });
    await closeRecovered(tx, rule, recovered, now);
    const opened = await openAlerts(tx, rule, warned, { now, repeatHours });
    const outcome: RuleOutcome = verdicts.length === 0 ? 'NOTHING' : warned.length > 0 ? 'WARNS' : 'QUIET';
    await releaseRule(tx, mine, { outcome, words, dataVersion, evaluatedAt: now });
    return { outcome, opened };
  });
  if (result === null) return log.info({ ruleId: rule.id }, 'a rule went to another server meanwhile');
  meters.evaluations.inc({ outcome: result.outcome });
  meters.opened.inc(result.opened);
  if (result.opened > 0) log.info({ ruleId: rule.id, opened: result.opened }, 'alerts were opened');
}
