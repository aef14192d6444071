import type { ArtifactKind, ArtifactOutcome } from '../../src/domain/artifacts/artifacts.ts';
import { eventRef, payload, SequencedEvent } from '../copilot/sequenced-event.ts';
import { enumOf } from '../enums.ts';

export const ArtifactKindEnum = enumOf<ArtifactKind>(
  'ArtifactKind',
  'A part of what a builder session writes.',
  {
    INSTRUCTIONS: 'Instructions for the job, as Markdown.',
    CONFIG: 'Model and tools of the job.',
    DESCRIPTION: 'The line that names the job in lists.',
  },
);

const ArtifactOutcomeEnum = enumOf<ArtifactOutcome>(
  'ArtifactOutcome',
  'Outcome of an attempt to change an artifact. The first three changed something.',
  {
    APPLIED: 'Changed as requested.',
    APPLIED_FIRST: 'The text occurs several times; its first occurrence was changed.',
    APPLIED_CLAMPED: 'The line number is past the end; the text was appended.',
    NO_CHANGE: 'The artifact already had the requested content.',
    NO_MATCH: 'The text to change does not occur.',
    AMBIGUOUS: 'The text occurs several times, which strict mode refuses.',
    INVALID_ARGS: 'The arguments of the call are invalid; the note explains why.',
    LOCKED: 'This part may not be changed.',
    SKIPPED: 'The call was one too many and was not made; the note says which limit it met.',
  },
);

export const ArtifactEvent = eventRef('ArtifactEvent').implement({
  rule: 'viewer: own',
  description:
    'A tool changed an artifact, or failed to. It comes between the start and the end of the call, after the change was stored.',
  interfaces: [SequencedEvent],
  fields: (t) => ({
    callId: t.string({ description: 'Joins it to its call.', resolve: payload('callId') }),
    tool: t.string({ description: 'Name of the tool.', resolve: payload('tool') }),
    arguments: t.field({
      type: 'JSON',
      description: 'Arguments, cut to 4 KB; ToolCall has all of them.',
      resolve: payload('arguments'),
    }),
    artifact: t.field({
      type: ArtifactKindEnum,
      description: 'The artifact that the tool changes.',
      resolve: payload('artifact'),
    }),
    outcome: t.field({
      type: ArtifactOutcomeEnum,
      description: 'What the call achieved.',
      resolve: payload('outcome'),
    }),
    revisionBefore: t.int({
      description: 'Revision of the artifacts before the call.',
      resolve: payload('revisionBefore'),
    }),
    revisionAfter: t.int({
      description: 'Revision after the call; the same if nothing changed, and for proposals.',
      resolve: payload('revisionAfter'),
    }),
    isProposal: t.boolean({
      description: 'Whether the change is pending in `BuilderSession.proposal`.',
      resolve: payload('isProposal'),
    }),
    note: t.string({
      nullable: true,
      description: 'What the model received in addition to the outcome; null for nothing.',
      resolve: payload('note'),
    }),
  }),
});
