/** `propose_job`: a draft of a job that the user may open in the form. Nothing is started: only a user submits jobs. */
import { z } from 'zod';
import type { JsonObject } from '../../domain/visuals.ts';
import { InvalidInputError } from '../../base/errors.ts';
import type { JobDrafts } from '../../services/jobs/job-drafts.ts';
import { defineTool, type Tool } from '../tool.ts';
import { chipIdArg, chipOf } from './chip-argument.ts';

/** The tool over where drafts are kept. */
export const proposeJob = (drafts: Pick<JobDrafts, 'create'>): Tool =>
  defineTool({
    name: 'propose_job',
    category: null,
    rule: 'viewer: own',
    label: 'Drafting a job',
    title: { en: 'Draft a job', ja: 'ジョブの下書き' },
    example: {
      expert_id: 'researcher',
      description: 'Find out since when and why T1 of Q27 falls',
      finding: 'T1 of Q27 is the lowest of the chip',
    },
    description:
      'Drafts a background job for longer work: researcher (drift, causes), coder (scripts), writer (report), calibrator (what to measure next). Only when the user asks for it or the work is too long for an answer; the user submits it, never you.',
    args: z.object({
      expert_id: z.string().min(1),
      description: z.string().min(1).max(2_000).describe('The task'),
      instructions: z.string().max(50_000).nullable().describe("null: the expert's"),
      config_override: z.string().nullable().describe('JSON such as {"llm":{"temperature":0}}'),
      chip_id: chipIdArg,
      finding: z.string().max(4_000).nullable().describe('What this conversation found, with figures'),
    }),
    describe: ({ expert_id, description }) => `${expert_id}: ${description}`.slice(0, 120),
    run: async (args, context) => {
      const { expert_id: expertId, description, instructions } = args;
      const chip = await chipOf(context, args.chip_id);
      const draft = await drafts.create(context.viewer, {
        expertId,
        description: description.trim(),
        instructions: instructions || null,
        configOverride: overrideOf(args.config_override),
        chipId: chip.chipId,
        context: { source: 'copilot', chip_id: chip.chipId, finding: args.finding },
      });
      return {
        data: {
          draft_id: draft.id,
          expert_id: expertId,
          description: draft.description,
          chip_id: chip.chipId,
          own_instructions: draft.instructions !== null,
          config_override: draft.configOverride,
        },
        formattedSummary: `Drafted a job for ${expertId} on ${chip.chipId}; it is not submitted. The user opens the draft in the job form, and only they can submit it.`,
        preview: `Draft for ${expertId}, not submitted`,
        freshness: null,
        source: 'CONFIG',
        visuals: [],
      };
    },
  });

function overrideOf(text: string | null): JsonObject | null {
  if (text === null || text.trim() === '') return null;
  const parsed = jsonObject.safeParse(text);
  if (parsed.success) return parsed.data as JsonObject;
  const message = 'is no JSON object; send one such as {"llm":{"temperature":0}}, or null';
  throw new InvalidInputError([{ path: ['config_override'], message }]);
}

const jsonObject = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      context.addIssue({ code: 'custom', message: 'is not JSON' });
      return z.NEVER;
    }
  })
  .pipe(z.record(z.string(), z.json()));
