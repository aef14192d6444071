/**
 * The two files of an IBM-style backend snapshot, read tolerantly: unknown fields pass, known ones must have their
 * shape.
 */
import { z } from 'zod';
import { InvalidInputError } from '../../base/errors.ts';

/** One measured value. Value, unit and date are judged where they are used: a snapshot may lack any of them. */
const record = z.object({
  name: z.string(),
  value: z.unknown().optional(),
  unit: z.unknown().optional(),
  date: z.unknown().optional(),
});

const properties = z.object({
  backend_name: z.string().min(1),
  last_update_date: z.string(),
  qubits: z.array(z.array(record)).min(1),
  gates: z
    .array(
      z.object({
        gate: z.string(),
        qubits: z.array(z.number().int().min(0)),
        parameters: z.array(record),
      }),
    )
    .default([]),
});

const pair = z.tuple([z.number(), z.number()]);

const configuration = z.object({
  backend_name: z.string().min(1),
  n_qubits: z.number().int().min(1),
  online_date: z.string().nullish(),
  coupling_map: z.array(pair).nullish(),
  coords: z.array(pair).nullish(),
});

/** One value of a snapshot as the file has it. */
export type IbmRecord = z.infer<typeof record>;
/** A `props_*.json`. */
export type IbmProperties = z.infer<typeof properties>;
/** A `conf_*.json`. */
export type IbmConfiguration = z.infer<typeof configuration>;

/** A snapshot: properties and configuration of one device. */
export type IbmSnapshot = { readonly properties: IbmProperties; readonly configuration: IbmConfiguration };

/**
 * Checks one pair of files; `name` is how errors call them.
 * @throws InvalidInputError naming the file, the place in it, and what would be right.
 */
export function parseIbmSnapshot(
  propertiesFile: { readonly name: string; readonly text: string },
  configurationFile: { readonly name: string; readonly text: string },
): IbmSnapshot {
  const props = parseJson(propertiesFile);
  const conf = parseJson(configurationFile);
  if (looksLike(props, 'n_qubits') && looksLike(conf, 'last_update_date')) {
    throw invalid(
      `${propertiesFile.name} is a configuration and ${configurationFile.name} holds the properties: pass the properties (props_*.json) first`,
    );
  }
  const snapshot = {
    properties: check(properties, props, propertiesFile.name, 'backend properties (props_*.json)'),
    configuration: check(
      configuration,
      conf,
      configurationFile.name,
      'a backend configuration (conf_*.json)',
    ),
  };
  requireOneDevice(snapshot, propertiesFile.name, configurationFile.name);
  return snapshot;
}

/**
 * Properties without a configuration, parsed already, as a backend's live endpoint gives them.
 * @throws InvalidInputError as {@link parseIbmSnapshot}.
 */
export function checkIbmProperties(value: unknown, name: string): IbmProperties {
  const checked = check(properties, value, name, 'backend properties');
  requireUpdateDate(checked, name);
  return checked;
}

function requireOneDevice(snapshot: IbmSnapshot, propertiesName: string, configurationName: string): void {
  const { properties: props, configuration: conf } = snapshot;
  if (props.backend_name !== conf.backend_name) {
    throw invalid(
      `${propertiesName} is of ${props.backend_name} and ${configurationName} of ${conf.backend_name}: both files must describe the same device`,
    );
  }
  if (props.qubits.length !== conf.n_qubits) {
    throw invalid(
      `${propertiesName} describes ${props.qubits.length} qubits and ${configurationName} ${conf.n_qubits} (n_qubits): they are not of the same device`,
    );
  }
  requireUpdateDate(props, propertiesName);
}

function requireUpdateDate({ last_update_date: date }: IbmProperties, name: string): void {
  if (Number.isNaN(Date.parse(date))) {
    throw invalid(
      `${name}: last_update_date is ${JSON.stringify(date)}: expected a date such as 2025-02-26T14:33:06-05:00`,
    );
  }
}

/** JSON as Python writes it: `NaN` and `Infinity` outside strings mean a missing number. */
function parseJson({ name, text }: { readonly name: string; readonly text: string }): unknown {
  const standard = text.replace(/"(?:[^"\\]|\\.)*"|-?Infinity|NaN/g, (token) =>
    token.startsWith('"') ? token : 'null',
  );
  try {
    return JSON.parse(standard);
  } catch (cause) {
    throw Object.assign(invalid(`${name} is not JSON: ${(cause as SyntaxError).message}`), { cause });
  }
}

function check<T>(schema: z.ZodType<T>, value: unknown, name: string, what: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const places = parsed.error.issues.slice(0, 3).map(({ path, message }) => `${at(path)}: ${message}`);
  throw invalid(`${name} is not ${what}: ${places.join('; ')}`);
}

/** `['qubits', 3, 0, 'name']` as `qubits[3][0].name`. */
const at = (path: readonly PropertyKey[]): string =>
  path.length === 0
    ? 'the whole file'
    : path
        .map((step, index) =>
          typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${String(step)}`,
        )
        .join('');

const looksLike = (value: unknown, field: string): boolean =>
  typeof value === 'object' && value !== null && field in value;

const invalid = (message: string): InvalidInputError => InvalidInputError.at([], message);

/** The chip id that a device gets: its name after the first `_`, so `ibm_brisbane` is `brisbane`. */
export function chipIdOf(backendName: string): string {
  const separator = backendName.indexOf('_');
  return separator < 0 ? backendName : backendName.slice(separator + 1);
}
