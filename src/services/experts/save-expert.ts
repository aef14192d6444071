import { z } from 'zod';
import { ARTIFACT_LIMITS, withLineFeeds } from '../../domain/artifacts/artifacts.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { atLeast } from '../../domain/members/role.ts';
import { utf8Bytes } from '../../domain/text/utf8.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import {
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  type UserError,
} from '../../base/errors.ts';
import { checkLayer } from '../../experts/config-layer.ts';
import type { ExpertCatalog } from '../../experts/expert-catalog.ts';
import { isExpertId, MAX_EXPERT_ID, METADATA_PARTS } from '../../experts/expert-metadata.ts';
import type { Db } from '../../stores/pg/database.ts';
import {
  deleteSavedExpert,
  findSavedExperts,
  insertSavedExpert,
  replaceSavedExpert,
  type ExpertToSave,
  type SavedExpert,
} from '../../stores/pg/experts.ts';
import { checkInput, toKeptWords } from '../copilot/copilot-input.ts';

type SaveDeps = { readonly db: Db; readonly catalog: ExpertCatalog };

/** Lists are not paged, so their length is limited. */
const MAX_SAVED_EXPERTS = 200;
const { instructionsBytes } = ARTIFACT_LIMITS;

const saveExpertInput = z.object({
  expertId: z
    .string()
    .refine(
      isExpertId,
      `must be 1 to ${MAX_EXPERT_ID} lowercase letters, digits and single dashes, starting with a letter, such as t1-drift`,
    ),
  displayName: METADATA_PARTS.displayName.transform(toKeptWords),
  description: METADATA_PARTS.description.transform(toKeptWords).nullish(),
  icon: METADATA_PARTS.icon.nullish(),
  color: METADATA_PARTS.color.nullish(),
  tags: METADATA_PARTS.tags.transform((tags) => tags.map(toKeptWords)).nullish(),
  instructions: z
    .string()
    .refine((text) => text.trim() !== '', 'must not be blank')
    .refine(
      (text) => utf8Bytes(text) <= instructionsBytes,
      `must have at most ${instructionsBytes.toLocaleString('en')} bytes`,
    )
    .transform((text) => toKeptWords(withLineFeeds(text))),
  config: z.unknown().optional(),
  version: z.int().positive('must be a version number').nullish(),
});

/** An expert as a user saves it, unchecked. `config` is laid over the defaults; `version` is the one to replace. */
export type SaveExpertInput = z.input<typeof saveExpertInput>;

/** Saves an expert. @throws InvalidInputError, NotFoundError, ForbiddenError, ConflictError when another save came first */
export async function saveExpert(
  { db, catalog }: SaveDeps,
  viewer: Viewer,
  input: SaveExpertInput,
): Promise<SavedExpert> {
  const checked = checkInput(saveExpertInput, input);
  const { version = null, expertId } = checked;
  const expert: ExpertToSave = {
    expertId,
    displayName: checked.displayName,
    description: checked.description ?? null,
    icon: checked.icon ?? null,
    color: checked.color ?? null,
    tags: checked.tags ?? [],
    instructions: checked.instructions,
    config: configOf(checked.config ?? {}),
    authorId: viewer.id,
  };
  if (version !== null) {
    const saved = await replaceSavedExpert(db, viewer.projectId, expert, {
      version,
      createdBy: ownOnly(viewer),
    });
    return saved ?? refuseVersion(db, viewer, expertId, version);
  }
  if (catalog.current.experts.has(expertId)) {
    const message = `${expertId} is shipped with QPilot and cannot be changed; save yours under another id`;
    throw InvalidInputError.at(['input', 'expertId'], message);
  }
  const saved = await insertSavedExpert(db, viewer.projectId, expert, MAX_SAVED_EXPERTS);
  return saved ?? refuseNew(db, viewer, expertId);
}

/** Which saved expert to delete; with a version, only if that is still the newest. */
export type DeleteExpertInput = {
  readonly expertId: string;
  readonly version?: number | null | undefined;
};

/**
 * Deletes a saved expert; its jobs keep their copy. @throws InvalidInputError for a shipped one, NotFoundError,
 * ConflictError
 */
export async function deleteExpert(
  { db, catalog }: SaveDeps,
  viewer: Viewer,
  { expertId, version = null }: DeleteExpertInput,
): Promise<void> {
  if (!isExpertId(expertId)) throw unknownExpert(expertId);
  if (await deleteSavedExpert(db, viewer.projectId, expertId, { version, createdBy: ownOnly(viewer) }))
    return;
  const [saved] = await findSavedExperts(db, viewer.projectId, [expertId]);
  if (saved) throw refusal(viewer, saved, version);
  if (!catalog.current.experts.has(expertId)) throw unknownExpert(expertId);
  const message = `${expertId} is shipped with QPilot and cannot be deleted`;
  throw InvalidInputError.at(['input', 'expertId'], message);
}

function configOf(given: unknown): JsonObject {
  const checked = checkLayer(given, 'REFUSE');
  if ('config' in checked) return checked.config;
  throw new InvalidInputError(
    checked.issues.map(({ path, message }) => ({ path: ['input', 'config', ...path], message })),
  );
}

async function refuseVersion(db: Db, viewer: Viewer, expertId: string, version: number): Promise<never> {
  const [saved] = await findSavedExperts(db, viewer.projectId, [expertId]);
  throw saved ? refusal(viewer, saved, version) : unknownExpert(expertId);
}

async function refuseNew(db: Db, viewer: Viewer, expertId: string): Promise<never> {
  const [saved] = await findSavedExperts(db, viewer.projectId, [expertId]);
  if (!saved) {
    const message = `this project has ${MAX_SAVED_EXPERTS} saved experts, which is the limit; delete one first`;
    throw InvalidInputError.at(['input', 'expertId'], message);
  }
  if (!mayChange(viewer, saved)) throw notYours(saved);
  throw new ConflictError(
    `this project already has an expert ${expertId}; send version ${saved.version} to replace it, or choose another id`,
  );
}

/** Editors change what they made, admins and owners everything. */
const ownOnly = ({ id, role }: Viewer): string | null => (atLeast(role, 'admin') ? null : id);

const mayChange = (viewer: Viewer, { createdBy }: SavedExpert): boolean =>
  [null, createdBy].includes(ownOnly(viewer));

const refusal = (viewer: Viewer, saved: SavedExpert, version: number | null): UserError =>
  mayChange(viewer, saved) ? staleVersion(saved, version) : notYours(saved);

const notYours = ({ expertId }: SavedExpert): ForbiddenError =>
  new ForbiddenError(
    `${expertId} was made by another member, who may change it, as may admins and owners of the project; save yours under another id`,
  );

const staleVersion = ({ expertId, version }: SavedExpert, given: number | null): ConflictError =>
  new ConflictError(
    `${expertId} is at version ${version}, not ${given}; read it again and save your changes over that`,
  );

const unknownExpert = (expertId: string): NotFoundError =>
  new NotFoundError(`this project has no saved expert ${expertId.slice(0, MAX_EXPERT_ID)}`);
