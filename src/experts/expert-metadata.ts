import { z } from 'zod';
import type { ExpertListing, ResolvedConfig } from './expert.ts';
import { TOOL_CATEGORIES } from './tool-categories.ts';

/** An id of an expert: what may be a folder's name, a word in an address, and a name in a list. */
export const EXPERT_ID_PATTERN = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/u;
/** Longest id, in characters. */
export const MAX_EXPERT_ID = 64;

/** Whether a text can be the id of an expert. */
export const isExpertId = (text: string): boolean =>
  text.length <= MAX_EXPERT_ID && EXPERT_ID_PATTERN.test(text);

/** What lists show, besides the id. */
export type ExpertMetadata = Pick<ExpertListing, 'displayName' | 'description' | 'icon' | 'color' | 'tags'>;

const oneLine = (longest: number) =>
  z
    .string({ error: 'must be text' })
    .transform((text) => text.replaceAll(/\s+/gu, ' ').trim())
    .pipe(
      z
        .string()
        .min(1, 'must not be blank')
        .max(longest, `must have at most ${longest} characters`)
        .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must be plain text without control characters'),
    );

/** Checks of each part, the same for files and for what users save. */
export const METADATA_PARTS = {
  displayName: oneLine(80),
  description: oneLine(500),
  icon: z
    .string({ error: 'must be the name of an icon' })
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/u, 'must be the name of an icon such as chart-line')
    .max(64, 'must have at most 64 characters'),
  color: z
    .string({ error: 'must be a colour such as #4c6ef5' })
    .regex(/^#[0-9a-fA-F]{6}$/u, 'must be a colour such as #4c6ef5')
    .toLowerCase(),
  tags: z
    .array(oneLine(40), { error: 'must be a list of words' })
    .max(20, 'must have at most 20 tags')
    .transform((tags) => [...new Set(tags)]),
} as const;

const DEFAULT_ICON = 'user-cog';
const DEFAULT_COLOR = '#4c6ef5';

/** Fills in what is missing: a name from the id, a description from what the expert works with. */
export function withMetadataDefaults(
  expertId: string,
  given: Partial<ExpertMetadata>,
  config: ResolvedConfig,
): ExpertMetadata {
  return {
    displayName: given.displayName ?? nameOf(expertId),
    description: given.description ?? descriptionOf(config),
    icon: given.icon ?? DEFAULT_ICON,
    color: given.color ?? DEFAULT_COLOR,
    tags: given.tags ?? [],
  };
}

function nameOf(expertId: string): string {
  const words = expertId.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function descriptionOf({ tools }: ResolvedConfig): string {
  const titles = TOOL_CATEGORIES.filter(({ name, locked }) => !locked && tools[name].length > 0);
  return titles.length === 0
    ? 'Works with files of the job only.'
    : `Works with ${titles.map(({ title }) => title.toLowerCase()).join(', ')}.`;
}
