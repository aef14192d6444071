import { ARTIFACT_TOOL_ARGS, type ArtifactToolArgs, type ArtifactToolName } from './artifact-calls.ts';
import type { ArtifactChange, ArtifactKind, ArtifactRules, Artifacts, Edited } from './artifacts.ts';
import { editConfig } from './config-edit.ts';
import { editText, insertText, replaceDescription, replaceText } from './text-edits.ts';

/** The artifact that each tool changes. */
export const ARTIFACT_OF_TOOL: Readonly<Record<ArtifactToolName, ArtifactKind>> = {
  update_instructions: 'INSTRUCTIONS',
  edit_instructions: 'INSTRUCTIONS',
  insert_instructions: 'INSTRUCTIONS',
  update_config: 'CONFIG',
  update_description: 'DESCRIPTION',
};

/**
 * Applies one call to the artifacts. It never throws: arguments that are wrong in any way are the outcome
 * `INVALID_ARGS`, with a note that names what would be valid. The same calls in the same order always give
 * the same artifacts.
 */
export function applyArtifactCall(
  artifacts: Artifacts,
  tool: ArtifactToolName,
  args: unknown,
  rules: ArtifactRules,
): ArtifactChange {
  const parsed = ARTIFACT_TOOL_ARGS[tool].safeParse(args);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || tool}: ${message}`);
    return { kind: ARTIFACT_OF_TOOL[tool], outcome: 'INVALID_ARGS', artifacts, note: problems.join('; ') };
  }
  // Parsed with the schema of this tool.
  return applyParsed(artifacts, { tool, args: parsed.data } as ParsedCall, rules);
}

type ParsedCall = {
  [Name in ArtifactToolName]: { readonly tool: Name; readonly args: ArtifactToolArgs<Name> };
}[ArtifactToolName];

function applyParsed(artifacts: Artifacts, call: ParsedCall, rules: ArtifactRules): ArtifactChange {
  const { instructions, config, description } = artifacts;
  switch (call.tool) {
    case 'update_instructions':
      return withInstructions(artifacts, replaceText(instructions, call.args.content));
    case 'edit_instructions': {
      const { old_text: oldText, new_text: newText } = call.args;
      return withInstructions(artifacts, editText(instructions, oldText, newText, rules.strict));
    }
    case 'insert_instructions':
      return withInstructions(artifacts, insertText(instructions, call.args.content, call.args.line));
    case 'update_config': {
      const { outcome, value, note } = editConfig(config, call.args, rules);
      const after = value === config ? artifacts : { ...artifacts, config: value };
      return { kind: 'CONFIG', outcome, artifacts: after, note };
    }
    case 'update_description': {
      const { outcome, value, note } = replaceDescription(description, call.args.content);
      const after = value === description ? artifacts : { ...artifacts, description: value };
      return { kind: 'DESCRIPTION', outcome, artifacts: after, note };
    }
    default:
      return call satisfies never;
  }
}

function withInstructions(artifacts: Artifacts, edited: Edited<string | null>): ArtifactChange {
  const { outcome, value, note } = edited;
  const after = value === artifacts.instructions ? artifacts : { ...artifacts, instructions: value };
  return { kind: 'INSTRUCTIONS', outcome, artifacts: after, note };
}
