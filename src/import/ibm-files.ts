/** Files of IBM-style snapshots: read, and put together as pairs by what they hold and by their names. */
import { basename } from 'node:path';
import { InvalidInputError } from '../base/errors.ts';
import {
  joinIbmFiles,
  parseIbmFile,
  snapshotTime,
  type IbmFile,
  type IbmSnapshot,
} from '../sources/ibm/ibm-json.ts';
import { readInputText } from './read-input.ts';

type Properties = IbmFile<'properties'>;
type Configuration = IbmFile<'configuration'>;

/**
 * Reads files in any order: of each device the properties of every snapshot, oldest first, with its configuration.
 * @throws InvalidInputError naming the file, and what is wrong in it or missing beside it.
 */
export async function readIbmSnapshots(paths: readonly string[], now: Date): Promise<readonly IbmSnapshot[]> {
  const files: IbmFile[] = [];
  for (const path of new Set(paths)) {
    files.push(parseIbmFile({ name: path, text: await readInputText(path) }));
  }
  if (files.length === 0) {
    throw invalid('give the files of a device: props_<device>.json conf_<device>.json');
  }
  const byDevice = Map.groupBy(files, ({ content }) => content.backend_name);
  const pairs = [...byDevice].flatMap(([device, ofDevice]) => pairsOf(device, ofDevice));
  return pairs
    .map(([properties, configuration]) => joinIbmFiles(properties, configuration, now))
    .toSorted((a, b) => snapshotTime(a.properties).getTime() - snapshotTime(b.properties).getTime());
}

function pairsOf(
  device: string,
  files: readonly IbmFile[],
): readonly (readonly [Properties, Configuration])[] {
  const properties = files.filter((file): file is Properties => file.kind === 'properties');
  const configurations = files.filter((file): file is Configuration => file.kind === 'configuration');
  const [only] = configurations;
  if (only === undefined || properties.length === 0) {
    const [has, lacks] =
      only === undefined ? ['properties', 'configuration'] : ['configuration', 'properties'];
    const given = files.map(({ name }) => name).join(', ');
    throw invalid(`${device} has ${has} (${given}) and no ${lacks}: give both files of a snapshot`);
  }
  if (properties.length === 1 && configurations.length === 1) return properties.map((each) => [each, only]);
  for (const key of PAIR_KEYS) {
    const byKey = Map.groupBy(configurations, key);
    const matches = properties.map((each) => byKey.get(key(each)) ?? []);
    const isPaired = new Set(matches.flat()).size === configurations.length;
    if (
      isPaired &&
      properties.length === configurations.length &&
      matches.every(({ length }) => length === 1)
    ) {
      return properties.map((each, index) => [each, matches[index]?.[0] ?? only]);
    }
  }
  const named = properties.some((each) => nameKey(each) === nameKey(only));
  if (configurations.length === 1 && !named) return properties.map((each) => [each, only]);
  throw unpaired(device, properties, configurations);
}

/** `fez.2025-01-22` for `props_fez.2025-01-22.json.gz`. */
const nameKey = ({ name }: IbmFile): string => withoutKind(basename(name));
const pathKey = ({ name }: IbmFile): string => withoutKind(name);
const withoutKind = (name: string): string =>
  name
    .toLowerCase()
    .replace(/(?:\.json)?(?:\.gz)?$/u, '')
    .replaceAll(/(?<![a-z])(?:prop(?:ertie)?s?|conf(?:ig(?:uration)?)?)(?![a-z])[_.-]?/gu, '');

/** What the two files of a snapshot have in common, the surest first: path, name, day in the name, version. */
const PAIR_KEYS: readonly ((file: IbmFile) => string)[] = [
  pathKey,
  nameKey,
  (file) => /\d{4}-?\d{2}-?\d{2}/u.exec(basename(file.name))?.[0].replaceAll('-', '') ?? dayOf(file),
  ({ content }) => content.backend_version ?? '',
];

const dayOf = (file: IbmFile): string =>
  file.kind === 'properties' ? file.content.last_update_date.slice(0, 10).replaceAll('-', '') : '';

function unpaired(
  device: string,
  properties: readonly Properties[],
  configurations: readonly Configuration[],
): InvalidInputError {
  const lonely = (of: readonly IbmFile[], others: readonly IbmFile[]): readonly string[] =>
    of.filter((file) => !others.some((other) => nameKey(other) === nameKey(file))).map(({ name }) => name);
  const missing = [
    ...lonely(properties, configurations).map((name) => `${name} has no configuration`),
    ...lonely(configurations, properties).map((name) => `${name} has no properties`),
  ];
  return invalid(
    `${device}: ${missing.length > 0 ? missing.join('; ') : 'it is not clear which files belong together'}. Name the two files of a snapshot alike, such as props_fez.2025-01-22.json and conf_fez.2025-01-22.json`,
  );
}

const invalid = (message: string): InvalidInputError => InvalidInputError.at([], message);
