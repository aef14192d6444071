/** `get_lab_context`: what the laboratory is: its project, chips, cool-downs, calendar and thresholds. */
import { z } from 'zod';
import type { Chip, Cooldown } from '../../domain/chip/chip.ts';
import { sinceText } from '../../domain/claims/timed.ts';
import { countOf, joinWords } from '../../domain/text/display-text.ts';
import type { Metric } from '../../domain/values/metric.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { defineTool } from '../tool.ts';
import { projectSentences } from './note-words.ts';
import { fieldsOf } from './row-data.ts';

/** What a model and the summary are given of a long list; `data` has all. */
const SHOWN_CHIPS = 8;
const SHOWN_COOLDOWNS = 3;
const NOTE_CHARACTERS = 80;

export const getLabContext = defineTool({
  name: 'get_lab_context',
  category: 'calibration',
  rule: 'viewer: project',
  reads: 'DIRECT',
  label: 'Reading the lab context',
  title: { en: 'Projects, cool-downs and thresholds', ja: 'プロジェクト・冷却・しきい値の確認' },
  example: {},
  description:
    'The laboratory: its project, chips, cool-downs, time zone, and the thresholds of its metrics.',
  args: z.object({}),
  describe: () => 'the laboratory',
  run: async (_args, { services, viewer, chipId, now }) => {
    const [projects, chips, cooldowns, posts] = await Promise.all([
      services.projects.list(),
      services.chips.list(viewer),
      services.cooldowns.list(viewer),
      services.notes.ofProject(viewer),
    ]);
    const project = projects.find(({ projectId }) => projectId === viewer.projectId);
    const rated = services.metrics.metrics.filter(({ good }) => good !== null);
    const lab = { project_id: viewer.projectId, time_zone: services.timeZone, selected_chip: chipId };
    return {
      data: {
        ...lab,
        project: project?.name ?? viewer.projectId,
        chips: chips.map(chipData),
        cooldowns: cooldowns.map(cooldownData),
        thresholds: rated.map(thresholdData),
      },
      // Chips are in the summary.
      modelData: {
        ...lab,
        cooldowns: cooldowns.slice(0, SHOWN_COOLDOWNS).map(cooldownWords),
        ...(cooldowns.length > SHOWN_COOLDOWNS ? { cooldowns_of: cooldowns.length } : {}),
        thresholds: thresholdWords(rated),
      },
      formattedSummary: [
        `Project ${project?.name ?? viewer.projectId}: ${countOf(chips.length, 'chip')}${chips.length === 0 ? '' : ` (${chipList(chips)})`}.`,
        ...cooldowns
          .filter(({ endedAt }) => endedAt === null)
          .slice(0, SHOWN_COOLDOWNS)
          .map(cooldownSentence),
        ...projectSentences(posts, now()),
        `Calendar days are those of ${services.timeZone}; times are UTC.`,
        `${countOf(rated.length, 'metric')} rated by thresholds in display units.`,
      ].join('\n'),
      preview: `${countOf(chips.length, 'chip')}, ${countOf(cooldowns.length, 'cool-down')}`,
      freshness: null,
      source: 'CONFIG',
      visuals: [],
    };
  },
});

const chipData = (chip: Chip) => ({
  ...fieldsOf(chip, 'chipId', 'size', 'topologyId', 'installedAt'),
  active: chip.isActive,
  current_cooldown_id: chip.currentCooldownId,
});

const cooldownData = (cooldown: Cooldown) =>
  fieldsOf(cooldown, 'cooldownId', 'cryostatId', 'description', 'startedAt', 'endedAt', 'chipIds', 'note');

const thresholdData = ({ name, unit, direction, scope, bad, good, excellent, staleAfterHours }: Metric) => ({
  metric: name,
  of: scope.toLowerCase(),
  display_unit: unit,
  direction: direction.toLowerCase(),
  bad,
  good,
  excellent,
  stale_after_hours: staleAfterHours,
});

/** The same for a model, at a tenth of the length: `bad|good|excellent unit, stale after h` by direction and metrics. */
function thresholdWords(rated: readonly Metric[]): JsonObject {
  const limits = ({ bad, good, excellent, unit, staleAfterHours }: Metric): string =>
    `${[bad, good, excellent].map((limit) => limit ?? '–').join('|')} ${unit}${staleAfterHours === null ? '' : ` ${staleAfterHours}h`}`;
  const byDirection = Map.groupBy(rated, ({ direction }) => direction.toLowerCase());
  return Object.fromEntries([
    ['form', 'bad|good|excellent unit, stale after h'],
    ...[...byDirection].map(([direction, metrics]) => [
      direction,
      Object.fromEntries(
        [...Map.groupBy(metrics, limits)].map(([words, same]) => [
          words,
          same.map(({ name }) => name).join(' '),
        ]),
      ),
    ]),
  ]) as JsonObject;
}

/** `demo-2 from 2026-04-12 to 2026-05-01: note`. */
function cooldownWords({ cooldownId, startedAt, endedAt, note }: Cooldown): string {
  const day = (time: Date | null): string => time?.toISOString().slice(0, 10) ?? '?';
  const span = `from ${day(startedAt)}${endedAt === null ? '' : ` to ${day(endedAt)}`}`;
  return `${cooldownId} ${span}${note ? `: ${note.slice(0, NOTE_CHARACTERS)}` : ''}`;
}

function chipList(chips: readonly Chip[]): string {
  const more = chips.length - SHOWN_CHIPS;
  const shown = chips.slice(0, SHOWN_CHIPS).map(chipWords);
  return joinWords(more > 0 ? [...shown, `${more} more`] : shown);
}

function chipWords({ chipId, size, currentCooldownId, isActive }: Chip): string {
  const notes = [
    `${size} qubits`,
    ...(currentCooldownId === null ? [] : [`cool-down ${currentCooldownId}`]),
    ...(isActive ? [] : ['put away']),
  ];
  return `${chipId}: ${notes.join(', ')}`;
}

const cooldownSentence = ({ cooldownId, cryostatId, startedAt, chipIds }: Cooldown): string =>
  `Cool-down ${cooldownId}${cryostatId === null ? '' : ` of ${cryostatId}`} runs${startedAt === null ? '' : ` ${sinceText(startedAt)}`}${chipIds.length === 0 ? '' : ` with ${joinWords(chipIds)}`}.`;
