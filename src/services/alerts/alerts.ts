/** Alerts of a project: rules, what they warn of, and who has seen it. Servers evaluate rules by `alert-work.ts`. */
import { z } from 'zod';
import { InvalidInputError, NotFoundError } from '../../base/errors.ts';
import { ALERT_LIMITS, type Alert, type StoredRule } from '../../domain/alerts/alert.ts';
import { isAlert, type Verdict } from '../../domain/alerts/evaluate.ts';
import type { AlertRule } from '../../domain/alerts/rule.ts';
import { parseRule, ruleText, type RuleProblem } from '../../domain/alerts/rule-text.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { listDestinations } from '../../stores/pg/alert-destinations.ts';
import { deleteRule, insertRule, listRules, lockRule, replaceRule } from '../../stores/pg/alert-rules.ts';
import { acknowledge, closeAlerts, countAlerts, listAlerts } from '../../stores/pg/alerts.ts';
import { type Db, transact } from '../../stores/pg/database.ts';
import type { CalibrationServices } from '../calibration/calibration-services.ts';
import { checkInput, toKeptWords } from '../copilot/copilot-input.ts';
import { evaluateNow, type EvaluateDeps } from './evaluate-rule.ts';

const { rulesPerProject, destinationsPerRule, noteCharacters } = ALERT_LIMITS;

const saveInput = z.object({
  ruleId: z.string().nullish(),
  text: z.string().trim(),
  chipId: z.string().nullish(),
  isEnabled: z.boolean().default(true),
  destinationIds: z
    .array(z.string())
    .max(destinationsPerRule, `must be at most ${destinationsPerRule} destinations`)
    .transform((ids) => [...new Set(ids)])
    .default([]),
});
export type SaveRuleInput = z.input<typeof saveInput>;

const acknowledgeInput = z.object({
  alertId: z.string(),
  note: z
    .string()
    .trim()
    .max(noteCharacters, `must have at most ${noteCharacters} characters`)
    .transform(toKeptWords)
    .nullish()
    .transform((note) => note || null),
});

/** What a text would do now, before anybody saves it. */
export type RulePreview = {
  /** As it would be stored; null where it cannot be read. */
  readonly text: string | null;
  readonly rule: AlertRule | null;
  readonly problem: RuleProblem | null;
  readonly words: string;
  /** Parts that it would warn of; muted ones are left out. */
  readonly verdicts: readonly Verdict[];
};

export type Alerts = ReturnType<typeof createAlerts>;

export type AlertsDeps = EvaluateDeps & {
  readonly db: Db;
  readonly calibration: EvaluateDeps['calibration'] & Pick<CalibrationServices, 'qubits' | 'couplings'>;
};

/** Most alerts of one answer. */
const LISTED = 500;

export function createAlerts(deps: AlertsDeps) {
  const { db, now } = deps;
  return {
    rules: ({ projectId }: Viewer) => listRules(db, projectId),
    list: ({ projectId }: Viewer, { chipId, isOpen }: { chipId: string | null; isOpen: boolean }) =>
      listAlerts(db, projectId, { chipId, isOpen, most: LISTED }),
    count: ({ projectId }: Viewer) => countAlerts(db, projectId),
    preview: (viewer: Viewer, text: string, chipId: string | null) => preview(deps, viewer, text, chipId),
    saveRule: (viewer: Viewer, input: SaveRuleInput) => saveRule(deps, viewer, input),

    /** Deletes a rule and closes its alerts; done, too, where there is none. */
    async deleteRule(viewer: Viewer, ruleId: string): Promise<void> {
      await transact(db, async (tx) => {
        const stored = await lockRule(tx, viewer.projectId, ruleId);
        if (stored === null) return;
        await closeAlerts(tx, stored, null, { ending: 'RULE_CHANGED', now: now() });
        await deleteRule(tx, stored.id);
      });
    },

    /** Notes that the viewer has seen an alert; the first one stays. @throws NotFoundError, InvalidInputError */
    async acknowledge(viewer: Viewer, input: z.input<typeof acknowledgeInput>): Promise<Alert> {
      const { alertId, note } = checkInput(acknowledgeInput, input);
      const found = await transact(db, (tx) =>
        acknowledge(tx, viewer.projectId, alertId, { by: viewer.id, at: now(), note }),
      );
      if (found === null) throw new NotFoundError(`this project has no alert ${alertId}`);
      return found;
    },
  };
}

/** A part as its values have it. @throws NotFoundError naming what the chip has */
async function withStoredPart(
  { calibration }: AlertsDeps,
  viewer: Viewer,
  rule: AlertRule,
): Promise<AlertRule> {
  const chip = await calibration.chips.get(viewer, rule.chipId);
  if (rule.qid === null) return rule;
  const qid =
    rule.kind === 'COUPLING'
      ? (await calibration.couplings.get(chip, rule.qid)).coupling.couplingId
      : (await calibration.qubits.get(chip, rule.qid)).qid;
  return { ...rule, qid };
}

async function preview(
  deps: AlertsDeps,
  viewer: Viewer,
  text: string,
  chipId: string | null,
): Promise<RulePreview> {
  const empty = { text: null, rule: null, words: '', verdicts: [] };
  const { rule, problem } = parseRule(text.trim(), { metrics: deps.calibration.metrics, chipId });
  if (rule === null) return { ...empty, problem };
  try {
    const stored = await withStoredPart(deps, viewer, rule);
    const { words, judged } = await evaluateNow(deps, viewer, stored);
    const verdicts = judged.filter(isAlert);
    return { text: ruleText(stored), rule: stored, problem: null, words, verdicts };
  } catch (error) {
    if (!(error instanceof NotFoundError || error instanceof InvalidInputError)) throw error;
    return { ...empty, problem: { at: 1, message: error.message } };
  }
}

/** Makes or replaces a rule. Alerts of a rule that asks for something else now are closed. @throws InvalidInputError, NotFoundError */
async function saveRule(deps: AlertsDeps, viewer: Viewer, input: SaveRuleInput): Promise<StoredRule> {
  const { ruleId, text, chipId, isEnabled, destinationIds } = checkInput(saveInput, input);
  const { rule: read, problem } = parseRule(text, {
    metrics: deps.calibration.metrics,
    chipId: chipId ?? null,
  });
  if (read === null)
    throw InvalidInputError.at(['input', 'text'], `at character ${problem.at}: ${problem.message}`);
  const rule = await withStoredPart(deps, viewer, read);
  // A parameter that neither the catalogue nor the chip has is refused here.
  await evaluateNow(deps, viewer, rule);
  const toSave = { rule, text: ruleText(rule), isEnabled, destinationIds };
  const at = deps.now();
  return transact(deps.db, async (tx) => {
    const known = new Set((await listDestinations(tx, viewer.projectId)).map(({ id }) => id));
    const unknown = destinationIds.find((id) => !known.has(id));
    if (unknown !== undefined)
      throw InvalidInputError.at(['input', 'destinationIds'], `this project has no destination ${unknown}`);
    if (!ruleId) {
      const made = await insertRule(tx, viewer, toSave, { most: rulesPerProject, now: at });
      if (made !== null) return made;
      const message = `this project has ${rulesPerProject} rules, which is the limit; delete one first`;
      throw InvalidInputError.at(['input', 'text'], message);
    }
    const stored = await lockRule(tx, viewer.projectId, ruleId);
    if (stored === null) throw new NotFoundError(`this project has no rule ${ruleId}`);
    if (stored.text !== toSave.text || !isEnabled)
      await closeAlerts(tx, stored, null, { ending: 'RULE_CHANGED', now: at });
    return replaceRule(tx, viewer, stored.id, toSave, at);
  });
}
