/**
 * Tools that change something outside, in a job: nobody sits before it, so a call ends the phase with a question to a person,
 * and is made in a later phase, once, if they approved exactly that.
 */
import { NOT_SHOWABLE, shownWhole } from '../../loop/call-approval.ts';
import type { ReviewedCall } from '../../../domain/jobs/job.ts';
import { InvalidInputError } from '../../../base/errors.ts';
import { withEnding } from '../../../workspace/job-plan.ts';
import type { Tool } from '../../tool.ts';
import type { PhaseDesk } from './phases.ts';
import { sentenceResult } from './workspace-tool.ts';

/** What such a tool acts on. */
export type ApprovalDesk = Pick<PhaseDesk, 'workspace' | 'decide'> & {
  /** Takes the approval of this very call, if a person gave it: it is then used up. */
  readonly useApproval: (call: Pick<ReviewedCall, 'tool' | 'arguments'>) => Promise<boolean>;
};

/** The same tool as a job may have it. */
export function askedInJob(tool: Tool, { workspace, decide, useApproval }: ApprovalDesk): Tool {
  const { approval, ...rest } = tool;
  if (approval === undefined) return tool;
  return {
    ...rest,
    async run(args, context) {
      const shown = shownWhole(args);
      if (shown === null) throw InvalidInputError.at([], NOT_SHOWABLE);
      const call = { tool: tool.name, arguments: shown };
      if (await useApproval(call)) return tool.run(args, context);
      const question = `May the job call ${approval.tool} of the lab's server ${approval.server} with ${JSON.stringify(shown)}?`;
      await workspace.savePlan(withEnding(await workspace.plan(), { how: 'REVIEW', report: null, question }));
      const asked = { ...call, server: approval.server, serverTool: approval.tool };
      await decide({ type: 'review', note: question, reportPath: null, call: asked });
      return sentenceResult(
        'A person is asked whether this call may be made; the job waits for them. Answer now with one sentence, and call no more tools. When the job goes on with an approval, make the same call again.',
        { question },
      );
    },
  };
}
