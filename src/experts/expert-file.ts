import { z } from 'zod';
import { ARTIFACT_LIMITS, withLineFeeds } from '../domain/artifacts/artifacts.ts';
import { utf8Bytes } from '../domain/text/utf8.ts';
import { checkLayer } from './config-layer.ts';
import { readConfigYaml } from './config-yaml.ts';
import type { ReadFile } from './expert-folder.ts';
import { METADATA_PARTS, type ExpertMetadata } from './expert-metadata.ts';
import type { ConfigLayer } from './expert.ts';

/** Id of the expert with only the defaults, used by jobs without an expert. */
export const DEFAULTS_ID = 'defaults';

/** The parsed files of one expert; empty if there is a `problem`. */
export type ExpertFile = {
  readonly metadata: Partial<ExpertMetadata>;
  readonly layer: ConfigLayer;
  /** Id of the expert that it extends. */
  readonly parent: string;
  readonly instructions: string | null;
  readonly ignored: readonly string[];
  readonly problem: string | null;
};

/** Settings besides llm and tools; {@link checkLayer} drops unknown ones. */
const metadataInFile = z.object(
  {
    display_name: METADATA_PARTS.displayName.exactOptional(),
    description: METADATA_PARTS.description.exactOptional(),
    icon: METADATA_PARTS.icon.exactOptional(),
    color: METADATA_PARTS.color.exactOptional(),
    tags: METADATA_PARTS.tags.exactOptional(),
    $extends: z.string({ error: 'must be the id of an expert' }).exactOptional(),
  },
  { error: 'must be settings, such as display_name: Researcher' },
);

/** Parses `config.yaml` and `instructions.md` of an expert. */
export function readExpertFile(name: string, config: ReadFile, instructions: ReadFile): ExpertFile {
  const file = readConfig(name, config);
  const read = readInstructions(instructions);
  return 'problem' in read
    ? { ...file, instructions: null, problem: file.problem ?? `instructions.md ${read.problem}` }
    : { ...file, instructions: read.text };
}

function readInstructions(file: ReadFile): ReadFile {
  if ('problem' in file || file.text === null) return file;
  const text = withLineFeeds(file.text);
  const bytes = utf8Bytes(text);
  const most = ARTIFACT_LIMITS.instructionsBytes;
  return bytes > most
    ? { problem: `has ${bytes.toLocaleString('en')} bytes; at most ${most.toLocaleString('en')} are allowed` }
    : { text };
}

function readConfig(id: string, file: ReadFile): Omit<ExpertFile, 'instructions'> {
  const name = id === DEFAULTS_ID ? 'defaults.yaml' : 'config.yaml';
  const empty = { metadata: {}, layer: { name: id, config: {} }, parent: DEFAULTS_ID, ignored: [] };
  const broken = (problem: string) => ({ ...empty, problem: `${name} ${problem}` });
  if ('problem' in file) return broken(file.problem);
  if (file.text === null) return broken('is missing');
  const read = readConfigYaml(file.text);
  if ('problem' in read) return broken(read.problem);
  const metadata = metadataInFile.safeParse(read.value);
  if (!metadata.success) return broken(firstOf(metadata.error.issues));
  const { display_name: displayName, $extends: parent = DEFAULTS_ID, ...rest } = metadata.data;
  const checked = checkLayer(read.value, 'IGNORE');
  if ('issues' in checked) return broken(firstOf(checked.issues));
  return {
    metadata: { ...(displayName !== undefined && { displayName }), ...rest },
    layer: { name: id, config: checked.config },
    parent,
    ignored: checked.ignored.filter((path) => !Object.hasOwn(metadataInFile.shape, path)),
    problem: null,
  };
}

const firstOf = (
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): string =>
  issues.map(({ path, message }) => `${path.map(String).join('.') || 'as a whole'} ${message}`).join('; ');
