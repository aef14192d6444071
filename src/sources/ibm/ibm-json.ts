/**
 * The two files of an IBM-style backend snapshot, read tolerantly: unknown fields pass, known ones must have their
 * shape.
 */
import { z } from 'zod';
import { InvalidInputError } from '../../base/errors.ts';
import { parsePythonJson } from '../python-json.ts';
import { impossibleTime } from '../../domain/values/physical-limits.ts';

/** One measured value. Value, unit and date are judged where they are used: a snapshot may lack any of them. */
const record = z.object({
  name: z.string(),
  value: z.unknown().optional(),
  unit: z.unknown().optional(),
  date: z.unknown().optional(),
});

const qubit = z.number().int().min(0);

const optionalList = <T extends z.ZodType>(of: T) =>
  z
    .array(of)
    .nullish()
    .transform((list) => list ?? []);

const properties = z.object({
  backend_name: z.string().min(1),
  last_update_date: z.string(),
  qubits: z.array(z.array(record)).min(1),
  gates: z
    .array(
      z.object({
        gate: z.string(),
        qubits: z.array(qubit),
        parameters: z.array(record),
      }),
    )
    .default([]),
  general: optionalList(record),
  general_qlists: optionalList(z.object({ name: z.string(), qubits: z.array(qubit) })),
  backend_version: z.string().nullish(),
});

const pair = z.tuple([z.number(), z.number()]);

const configuration = z.object({
  backend_name: z.string().min(1),
  n_qubits: z.number().int().min(1),
  backend_version: z.string().nullish(),
  online_date: z.string().nullish(),
  coupling_map: z.array(z.tuple([qubit, qubit])).nullish(),
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

/** One file of a pair, checked by itself; `name` is how errors call it. */
export type IbmFile<Kind extends 'properties' | 'configuration' = 'properties' | 'configuration'> = Extract<
  | { readonly kind: 'properties'; readonly name: string; readonly content: IbmProperties }
  | { readonly kind: 'configuration'; readonly name: string; readonly content: IbmConfiguration },
  { readonly kind: Kind }
>;

/**
 * Reads a file by what it holds, whatever it is called.
 * @throws InvalidInputError naming the file, the place in it, and what would be right.
 */
export function parseIbmFile({ name, text }: { readonly name: string; readonly text: string }): IbmFile {
  const value = parsePythonJson(name, text);
  if (has(value, 'qubits') || has(value, 'last_update_date')) {
    const content = check(properties, value, name, 'backend properties (props_*.json)');
    return { kind: 'properties', name, content };
  }
  if (has(value, 'n_qubits') || has(value, 'coupling_map') || has(value, 'basis_gates')) {
    const content = check(configuration, value, name, 'a backend configuration (conf_*.json)');
    return { kind: 'configuration', name, content };
  }
  throw invalid(
    `${name} is neither backend properties (they have qubits and last_update_date) nor a backend configuration (n_qubits, coupling_map)`,
  );
}

/**
 * Two files as one snapshot.
 * @throws InvalidInputError if they are not of one device, or if the snapshot cannot be of that time.
 */
export function joinIbmFiles(
  { name, content: props }: IbmFile<'properties'>,
  { name: confName, content: conf }: IbmFile<'configuration'>,
  now: Date,
): IbmSnapshot {
  if (props.backend_name !== conf.backend_name) {
    throw invalid(
      `${name} is of ${props.backend_name} and ${confName} of ${conf.backend_name}: both files must describe the same device`,
    );
  }
  if (props.qubits.length !== conf.n_qubits) {
    throw invalid(
      `${name} describes ${props.qubits.length} qubits and ${confName} ${conf.n_qubits} (n_qubits): they are not of the same device`,
    );
  }
  requireUpdateDate(props, name, now);
  return { properties: props, configuration: conf };
}

/**
 * Properties without a configuration, parsed already, as a backend's live endpoint gives them.
 * @throws InvalidInputError as {@link parseIbmFile}.
 */
export function checkIbmProperties(value: unknown, name: string, now: Date): IbmProperties {
  const checked = check(properties, value, name, 'backend properties');
  requireUpdateDate(checked, name, now);
  return checked;
}

function requireUpdateDate({ last_update_date: written }: IbmProperties, name: string, now: Date): void {
  const date = readIbmDate(written);
  const wrong = date === null ? null : impossibleTime(date, now);
  if (date !== null && wrong === null) return;
  throw invalid(
    `${name}: last_update_date is ${JSON.stringify(written)}${wrong === null ? '' : `, which ${wrong}`}: expected a date such as 2025-02-26T14:33:06-05:00`,
  );
}

/** When a snapshot was taken. */
export const snapshotTime = ({ last_update_date: date }: IbmProperties): Date =>
  readIbmDate(date) ?? new Date(Number.NaN);

/** Dates without an offset are taken as UTC, as the file gives no other zone. */
export function readIbmDate(date: unknown): Date | null {
  if (typeof date !== 'string') return null;
  const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/.test(date) || !date.includes('T') ? date : `${date}Z`;
  const parsed = new Date(zoned);
  return Number.isNaN(parsed.getTime()) ? null : parsed;
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

const has = (value: unknown, field: string): boolean =>
  typeof value === 'object' && value !== null && field in value;

const invalid = (message: string): InvalidInputError => InvalidInputError.at([], message);

/** The chip id that a device gets: its name after the first `_`, so `ibm_brisbane` is `brisbane`. */
export function chipIdOf(backendName: string): string {
  const separator = backendName.indexOf('_');
  return separator < 0 ? backendName : backendName.slice(separator + 1);
}
