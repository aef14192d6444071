import type {
  ArtifactDiff as Diff,
  DescriptionChange as Description,
} from '../../src/domain/artifacts/artifact-diff.ts';
import type { ConfigChange as Setting } from '../../src/domain/artifacts/config-diff.ts';
import type { DiffKind, DiffPiece as Piece, TextHunk as Hunk } from '../../src/domain/artifacts/text-diff.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enums.ts';

const DiffKindEnum = enumOf<DiffKind>('DiffKind', 'Which of two texts contains a piece.', {
  SAME: 'In both texts.',
  REMOVED: 'Only in the older one.',
  ADDED: 'Only in the newer one.',
});

const ConfigChangeKindEnum = enumOf<Setting['kind']>('ConfigChangeKind', 'How a setting changed.', {
  ADDED: 'It is new.',
  REMOVED: 'It was removed.',
  CHANGED: 'Its value changed.',
});

const DiffPiece = builder.objectRef<Piece>('DiffPiece').implement({
  description: 'A line, or a few words.',
  fields: (t) => ({
    kind: t.expose('kind', { type: DiffKindEnum, description: 'Which of the texts contains it.' }),
    text: t.exposeString('text', { description: 'A line comes without its line break.' }),
  }),
});

const ID_DESCRIPTION = 'Identifies the change in `resolveArtifactHunks`; equal changes have equal ids.';

const TextHunk = builder.objectRef<Hunk>('TextHunk').implement({
  description: 'Adjacent changed lines.',
  fields: (t) => ({
    id: t.exposeID('id', { description: ID_DESCRIPTION }),
    fromLine: t.exposeInt('fromLine', { description: 'First line in the older text, from 1.' }),
    fromLines: t.exposeInt('fromLines', { description: 'Number of removed lines.' }),
    toLine: t.exposeInt('toLine', { description: 'First line in the newer text, from 1.' }),
    toLines: t.exposeInt('toLines', { description: 'Number of added lines.' }),
    lines: t.field({
      type: [DiffPiece],
      description: 'Removed and added lines, with up to three unchanged ones before and after.',
      resolve: ({ lines }) => [...lines],
    }),
    words: t.field({
      type: [DiffPiece],
      nullable: true,
      description:
        'The changed lines as one text, word by word; null if lines were only added or only removed.',
      resolve: ({ words }) => words && [...words],
    }),
  }),
});

const ConfigChange = builder.objectRef<Setting>('ConfigChange').implement({
  description: 'A changed setting.',
  fields: (t) => ({
    id: t.exposeID('id', { description: ID_DESCRIPTION }),
    path: t.stringList({
      description: 'For example `["llm", "temperature"]`.',
      resolve: ({ path }) => [...path],
    }),
    kind: t.expose('kind', { type: ConfigChangeKindEnum, description: 'How it changed.' }),
    before: t.expose('before', { type: 'JSON', nullable: true, description: 'Null for a new setting.' }),
    after: t.expose('after', { type: 'JSON', nullable: true, description: 'Null for a removed setting.' }),
  }),
});

const DescriptionChange = builder.objectRef<Description>('DescriptionChange').implement({
  description: 'A changed description.',
  fields: (t) => ({
    id: t.exposeID('id', { description: ID_DESCRIPTION }),
    before: t.exposeString('before', { nullable: true, description: 'Null if there was none.' }),
    after: t.exposeString('after', { nullable: true, description: 'Null if there is none.' }),
    words: t.field({
      type: [DiffPiece],
      description: 'Both texts merged, word by word.',
      resolve: ({ words }) => [...words],
    }),
  }),
});

export const ArtifactDiff = builder.objectRef<Diff>('ArtifactDiff').implement({
  description: 'Differences between two states of the artifacts.',
  fields: (t) => ({
    instructions: t.field({
      type: [TextHunk],
      description: 'Changed lines, in order.',
      resolve: ({ instructions }) => [...instructions],
    }),
    config: t.field({
      type: [ConfigChange],
      description: 'Changed settings, by path.',
      resolve: ({ config }) => [...config],
    }),
    description: t.expose('description', {
      type: DescriptionChange,
      nullable: true,
      description: 'Null if unchanged.',
    }),
  }),
});
