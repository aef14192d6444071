/**
 * Parses one reading of the shipped experts. Pure; an invalid file yields an expert with a load error and does not
 * affect the others.
 */
import { buildExpert, hashOf } from './build-expert.ts';
import { DEFAULTS_ID, readExpertFile, type ExpertFile } from './expert-file.ts';
import type { ExpertFolder } from './expert-folder.ts';
import { isExpertId } from './expert-metadata.ts';
import type { ConfigLayer, Expert } from './expert.ts';

/** All shipped experts of one reading. */
export type ExpertGeneration = {
  /** Hex SHA-256 of all files: equal readings are the same generation. */
  readonly hash: string;
  /** By id, including broken ones. */
  readonly experts: ReadonlyMap<string, Expert>;
  /** Lowest layer of every expert, saved ones included; null if `defaults.yaml` is invalid. */
  readonly defaults: ConfigLayer | null;
  readonly template: string | null;
  /** What was skipped and why, for the log. Never quotes a value. */
  readonly remarks: readonly string[];
};

export function readGeneration(folder: ExpertFolder): ExpertGeneration {
  const named = folder.experts.filter(({ name }) => isExpertFolder(name));
  const files = new Map<string, ExpertFile>([
    [DEFAULTS_ID, readExpertFile(DEFAULTS_ID, folder.defaults, { text: null })],
    ...named.map(
      ({ name, config, instructions }) => [name, readExpertFile(name, config, instructions)] as const,
    ),
  ]);
  const template = 'text' in folder.template ? folder.template.text : null;
  const defaults = files.get(DEFAULTS_ID);
  const experts = [...files].map(([expertId, file]) => {
    const lineage = lineageOf(expertId, files);
    const problem = file.problem ?? ('problem' in lineage ? lineage.problem : null);
    return buildExpert({
      expertId,
      metadata: problem === null ? file.metadata : {},
      layers: 'layers' in lineage && problem === null ? lineage.layers : [],
      instructions: file.instructions,
      template,
      loadError: problem,
      version: null,
    });
  });
  return {
    hash: hashOf(folder),
    experts: new Map(experts.toSorted(byName).map((expert) => [expert.expertId, expert])),
    defaults: defaults?.problem === null ? defaults.layer : null,
    template,
    remarks: remarksOf(folder, files, experts),
  };
}

/** Orders by display name, then by id. */
export const byName = (
  one: Pick<Expert, 'displayName' | 'expertId'>,
  other: Pick<Expert, 'displayName' | 'expertId'>,
): number =>
  one.displayName.localeCompare(other.displayName, 'en') || (one.expertId < other.expertId ? -1 : 1);

/** The layers of an expert, lowest first, or why it has none; `above` are the ids already visited. */
function lineageOf(
  id: string,
  files: ReadonlyMap<string, ExpertFile>,
  above: readonly string[] = [],
): { readonly layers: readonly ConfigLayer[] } | { readonly problem: string } {
  const file = files.get(id);
  if (file === undefined) return { problem: `$extends names ${id}, which is not an expert of this server` };
  if (file.problem !== null) return { problem: `${id} cannot be used: ${file.problem}` };
  const way = [...above, id];
  if (above.includes(id)) return { problem: `$extends goes in a circle: ${way.join(', ')}` };
  if (id === DEFAULTS_ID) return { layers: [file.layer] };
  const below = lineageOf(file.parent, files, way);
  return 'problem' in below ? below : { layers: [...below.layers, file.layer] };
}

function remarksOf(
  folder: ExpertFolder,
  files: ReadonlyMap<string, ExpertFile>,
  experts: readonly Expert[],
): readonly string[] {
  const passedOver = folder.experts.filter(({ name }) => !isExpertFolder(name));
  return [
    ...('problem' in folder.template ? [`instructions.md ${folder.template.problem}`] : []),
    ...passedOver.map(
      ({ name }) =>
        `${name}: an expert's folder is named in small letters, digits and dashes, and not ${DEFAULTS_ID}`,
    ),
    ...experts.flatMap(({ expertId, loadError }) => (loadError ? [`${expertId}: ${loadError}`] : [])),
    ...[...files].flatMap(([id, { ignored }]) => ignored.map((path) => `${id}: ${path} is not a setting`)),
    ...experts.flatMap(({ expertId, resolution }) =>
      resolution.warnings.map((text) => `${expertId}: ${text}`),
    ),
  ];
}

const isExpertFolder = (name: string): boolean => isExpertId(name) && name !== DEFAULTS_ID;
