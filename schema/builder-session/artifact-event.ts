import type { ArtifactKind, ArtifactOutcome } from '../../src/domain/artifacts/artifacts.ts';
import { eventRef, SequencedEvent } from '../copilot/sequenced-event.ts';
import { enumOf } from '../enums.ts';

export const ArtifactKindEnum = enumOf<ArtifactKind>('ArtifactKind', 'What a builder session writes.', {
  INSTRUCTIONS: 'What the job is told, as Markdown.',
  CONFIG: 'Model and tools of the job.',
  DESCRIPTION: 'The line that names the job in lists.',
});

const ArtifactOutcomeEnum = enumOf<ArtifactOutcome>(
  'ArtifactOutcome',
  'What became of a change of an artifact. The first three changed something.',
  {
    APPLIED: 'Changed as asked.',
    APPLIED_FIRST: 'The text stands more than once; its first place was changed.',
    APPLIED_CLAMPED: 'The line is beyond the end; the text was put at the end.',
    NO_CHANGE: 'It stood so already.',
    NO_MATCH: 'The text to change does not stand there.',
    AMBIGUOUS: 'The text stands more than once, which strict mode refuses.',
    INVALID_ARGS: 'The call could not be used as it was made; the note says why.',
    LOCKED: 'This part may not be changed.',
  },
);

export const ArtifactEvent = eventRef('ArtifactEvent').implement({
  description:
    'A tool changed an artifact, or could not. It stands between the start and the end of the call, and what it says is stored already.',
  interfaces: [SequencedEvent],
  fields: (t) => ({
    callId: t.string({ description: 'Joins it to its call.', resolve: ({ payload }) => payload.callId }),
    tool: t.string({ description: 'Name of the tool.', resolve: ({ payload }) => payload.tool }),
    arguments: t.field({
      type: 'JSON',
      description: 'Arguments, cut to 4 KB; the whole stands in ToolCall.',
      resolve: ({ payload }) => payload.arguments,
    }),
    artifact: t.field({
      type: ArtifactKindEnum,
      description: 'The artifact that the tool is for.',
      resolve: ({ payload }) => payload.artifact,
    }),
    outcome: t.field({
      type: ArtifactOutcomeEnum,
      description: 'What became of it.',
      resolve: ({ payload }) => payload.outcome,
    }),
    revisionBefore: t.int({
      description: 'Revision of the artifacts before the call.',
      resolve: ({ payload }) => payload.revisionBefore,
    }),
    revisionAfter: t.int({
      description: 'Revision after it; the same where nothing was changed, and for proposals.',
      resolve: ({ payload }) => payload.revisionAfter,
    }),
    isProposal: t.boolean({
      description: 'Whether the change waits for the user as part of `BuilderSession.proposal`.',
      resolve: ({ payload }) => payload.isProposal,
    }),
    note: t.string({
      nullable: true,
      description: 'What the model was told beside the outcome.',
      resolve: ({ payload }) => payload.note,
    }),
  }),
});
