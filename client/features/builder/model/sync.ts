/**
 * Form and session hold the same artifacts; both may change. These rules decide what happens if they differ.
 * Pure; what the form holds comes from `artifactsOf` of the form.
 */
import type { Artifacts } from '../../../../src/domain/artifacts/artifacts.ts';
import { isSameJson } from '../../../../src/domain/artifacts/config-merge.ts';

/** What form and session last agreed on. */
export type Agreed = { readonly artifacts: Artifacts; readonly revision: number };

/**
 * `same`: nothing to do; `take`: the session changed, and the form follows; `keep`: the form was edited by hand, and
 * the session gets it with the next message; `conflict`: both changed, and the user has to choose.
 */
export type SyncStep = 'same' | 'take' | 'keep' | 'conflict';

/**
 * Compares. `agreed` null: they never agreed, as where an earlier session is opened over a form that was written in.
 */
export function syncStep(form: Artifacts, session: Agreed, agreed: Agreed | null): SyncStep {
  if (isSameArtifacts(form, session.artifacts)) return 'same';
  if (agreed === null) return 'conflict';
  // What was just sent is newer than the last known state of the session.
  if (session.revision < agreed.revision) return 'keep';
  const sessionMoved = !isSameArtifacts(session.artifacts, agreed.artifacts);
  const formMoved = !isSameArtifacts(form, agreed.artifacts);
  if (!sessionMoved) return 'keep';
  return formMoved ? 'conflict' : 'take';
}

/** Whether two states of the artifacts are the same; nothing and an empty text are. */
export const isSameArtifacts = (one: Artifacts, other: Artifacts): boolean =>
  isSameText(one.instructions, other.instructions) &&
  isSameText(one.description, other.description) &&
  isSameJson(one.config ?? {}, other.config ?? {});

/** Artifacts for the form, with empty texts instead of null, which would keep the form's. */
export const toForm = ({ instructions, config, description }: Artifacts): Artifacts => ({
  instructions: textOf(instructions),
  config: config ?? {},
  description: textOf(description),
});

const isSameText = (one: string | null, other: string | null): boolean =>
  one === other || textOf(one) === textOf(other);

/** The server keeps one kind of line end and trims nothing. */
const textOf = (text: string | null): string => (text ?? '').replaceAll(/\r\n?/gu, '\n');
