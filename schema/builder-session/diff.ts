import type {
  ArtifactDiff as Diff,
  DescriptionChange as Description,
} from '../../src/domain/artifacts/artifact-diff.ts';
import type { ConfigChange as Setting } from '../../src/domain/artifacts/config-diff.ts';
import type { DiffKind, DiffPiece as Piece, TextHunk as Hunk } from '../../src/domain/artifacts/text-diff.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enums.ts';

const DiffKindEnum = enumOf<DiffKind>('DiffKind', 'Where a piece of a text stands.', {
  SAME: 'In both texts.',
  REMOVED: 'Only in the older one.',
  ADDED: 'Only in the newer one.',
});

const ConfigChangeKindEnum = enumOf<Setting['kind']>('ConfigChangeKind', 'What became of a setting.', {
  ADDED: 'It was not there before.',
  REMOVED: 'It is not there any more.',
  CHANGED: 'It has another value.',
});

const DiffPiece = builder.objectRef<Piece>('DiffPiece').implement({
  description: 'A line, or some words.',
  fields: (t) => ({
    kind: t.expose('kind', { type: DiffKindEnum, description: 'Where it stands.' }),
    text: t.exposeString('text', { description: 'Without a line end where it is a line.' }),
  }),
});

const ID_DESCRIPTION = 'Names it in `resolveArtifactHunks`; the same for the same change.';

const TextHunk = builder.objectRef<Hunk>('TextHunk').implement({
  description: 'Lines that changed together.',
  fields: (t) => ({
    id: t.exposeID('id', { description: ID_DESCRIPTION }),
    fromLine: t.exposeInt('fromLine', { description: 'Where it begins in the older text, from 1.' }),
    fromLines: t.exposeInt('fromLines', { description: 'Lines that are removed there.' }),
    toLine: t.exposeInt('toLine', { description: 'Where it begins in the newer text, from 1.' }),
    toLines: t.exposeInt('toLines', { description: 'Lines that are added there.' }),
    lines: t.field({
      type: [DiffPiece],
      description: 'Removed and added lines, with up to three unchanged ones before and after.',
      resolve: ({ lines }) => [...lines],
    }),
    words: t.field({
      type: [DiffPiece],
      nullable: true,
      description:
        'The changed lines as one text, word by word; null where lines were only added or removed.',
      resolve: ({ words }) => words && [...words],
    }),
  }),
});

const ConfigChange = builder.objectRef<Setting>('ConfigChange').implement({
  description: 'A setting that differs.',
  fields: (t) => ({
    id: t.exposeID('id', { description: ID_DESCRIPTION }),
    path: t.stringList({
      description: 'For example `["llm", "temperature"]`.',
      resolve: ({ path }) => [...path],
    }),
    kind: t.expose('kind', { type: ConfigChangeKindEnum, description: 'What became of it.' }),
    before: t.expose('before', { type: 'JSON', nullable: true, description: 'Null where it was not there.' }),
    after: t.expose('after', { type: 'JSON', nullable: true, description: 'Null where it is gone.' }),
  }),
});

const DescriptionChange = builder.objectRef<Description>('DescriptionChange').implement({
  description: 'Another description.',
  fields: (t) => ({
    id: t.exposeID('id', { description: ID_DESCRIPTION }),
    before: t.exposeString('before', { nullable: true, description: 'Null where there was none.' }),
    after: t.exposeString('after', { nullable: true, description: 'Null where there is none.' }),
    words: t.field({
      type: [DiffPiece],
      description: 'Both as one text, word by word.',
      resolve: ({ words }) => [...words],
    }),
  }),
});

export const ArtifactDiff = builder.objectRef<Diff>('ArtifactDiff').implement({
  description: 'What differs between two states of the artifacts.',
  fields: (t) => ({
    instructions: t.field({
      type: [TextHunk],
      description: 'Changed lines, in their order.',
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
      description: 'Null where it is the same.',
    }),
  }),
});
