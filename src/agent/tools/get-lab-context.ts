/** `get_lab_context`: what the laboratory is: its project, chips, cool-downs, calendar and thresholds. */
import { z } from 'zod';
import type { Chip, Cooldown } from '../../domain/chip/chip.ts';
import { sinceText } from '../../domain/claims/timed.ts';
import { countOf, joinWords } from '../../domain/text/display-text.ts';
import type { Metric } from '../../domain/values/metric.ts';
import { defineTool } from '../tool.ts';
import { fieldsOf } from './row-data.ts';

export const getLabContext = defineTool({
  name: 'get_lab_context',
  category: 'calibration',
  reads: 'DIRECT',
  label: 'Reading the lab context',
  title: { en: 'Projects, cool-downs and thresholds', ja: 'プロジェクト・冷却・しきい値の確認' },
  example: {},
  description:
    'The laboratory: its project, chips, cool-downs, time zone, and the thresholds of its metrics.',
  args: z.object({}),
  describe: () => 'the laboratory',
  run: async (_args, { services, viewer, chipId }) => {
    const [projects, chips, cooldowns] = await Promise.all([
      services.projects.list(),
      services.chips.list(viewer),
      services.cooldowns.list(viewer),
    ]);
    const project = projects.find(({ projectId }) => projectId === viewer.projectId);
    const rated = services.metrics.metrics.filter(({ good }) => good !== null);
    return {
      data: {
        project_id: viewer.projectId,
        project: project?.name ?? viewer.projectId,
        time_zone: services.timeZone,
        selected_chip: chipId,
        chips: chips.map(chipData),
        cooldowns: cooldowns.map(cooldownData),
        thresholds: rated.map(thresholdData),
      },
      formattedSummary: [
        `Project ${project?.name ?? viewer.projectId}: ${countOf(chips.length, 'chip')}${chips.length === 0 ? '' : ` (${joinWords(chips.map(chipWords))})`}.`,
        ...cooldowns.filter(({ endedAt }) => endedAt === null).map(cooldownSentence),
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
