/** Tables whose columns are qubits, couplings or times: the header says where or when, the table what. */
import type { Metric, MetricCatalog } from '../../domain/values/metric.ts';
import { toTime } from '../../sources/tables/column-values.ts';
import { refuseFile } from '../../sources/tables/csv-text.ts';
import { numbersOf } from './column-numbers.ts';
import { isGridPair, mayBeGridName, readEntity, readPlace, type Naming } from './entities.ts';
import { chooseNaming } from './naming.ts';
import { readParameter, type ParameterWord } from './parameter-words.ts';
import { NOTHING, type Columns, type Read, type TablePlan, type ValueColumn } from './table-shape.ts';
import {
  metricOf,
  scopesOf,
  subjectOf,
  unitOf,
  writtenUnit,
  type Found,
  type TableHints,
} from './table-subject.ts';
import { readUnit, storedUnit } from './units.ts';

/** The columns that say something about their rows. */
export type RowColumns = {
  readonly entity: Read | null;
  readonly time: Read | null;
  readonly parameter: Read | null;
  readonly unit: Read | null;
};

/**
 * The plan for such a table, null for any other.
 * @throws InvalidInputError for one that is half of each, or that leaves open what its values are.
 */
export function placeColumns(
  columns: Columns,
  rows: RowColumns,
  hints: TableHints,
  metrics: MetricCatalog,
): Omit<TablePlan, 'task'> | null {
  const { headings, roles } = columns;
  const open = headings.flatMap(({ name }, index) => (roles[index] === null ? [{ name, index }] : []));
  const places = open.filter(
    ({ name }) => readPlace(name) !== null || mayBeGridName(name) || isGridPair(name),
  );
  const times = open.filter(({ name }) => timeIn(name));
  if (rows.entity !== null && places.length > 0) {
    throw refuseFile(
      `the table names qubits in rows and in the columns ${names(places)}: keep one of the two`,
    );
  }
  if (places.length > 0) return ofPlaces(places, columns, rows, hints, metrics);
  return rows.entity !== null && times.length > 0 && !roles.includes('value')
    ? ofTimes(times, columns, rows.entity, hints, metrics)
    : null;
}

type Place = { readonly name: string; readonly index: number };

function ofPlaces(
  places: readonly Place[],
  columns: Columns,
  { time, parameter, unit }: RowColumns,
  hints: TableHints,
  metrics: MetricCatalog,
): Omit<TablePlan, 'task'> {
  const measured = columns.headings.filter(
    ({ name }, index) =>
      columns.roles[index] === null &&
      readPlace(name) === null &&
      readParameter(name, metrics).type === 'known',
  );
  if (measured.length > 0) {
    throw refuseFile(
      `the columns ${names(places)} are qubits and ${names(measured)} a parameter: a table has one or the other`,
    );
  }
  const order = time === null ? '' : 'a row per time, ';
  const layoutFor = (naming: Naming): string =>
    `${order}a column per ${readPlace(places[0]?.name ?? '', naming)?.kind ?? 'qubit'}`;
  const texts = places.map(({ name }) => name);
  if (parameter !== null) {
    const choice = chooseNaming(texts, [], hints);
    const own = { time, parameter, word: null, unit: unit ?? NOTHING };
    return {
      ...choice,
      ...valuesOf(places, columns, choice.naming, () => own),
      understood: [layoutFor(choice.naming)],
    };
  }
  const word = subjectOf(hints, metrics);
  const scopes = scopesOf(word.found.parameter, metrics);
  const choice = chooseNaming(texts, scopes, hints);
  const subject = subjectWith(word, places, columns, hints, metrics);
  const shared = { time, parameter: () => word.found.parameter, word: word.found };
  const unitAt = (index: number): Read => {
    const inHeading = columns.headings[index]?.unit;
    return unit ?? (() => inHeading ?? subject.unit);
  };
  return {
    ...choice,
    ...valuesOf(places, columns, choice.naming, (index) => ({ ...shared, unit: unitAt(index) })),
    understood: [layoutFor(choice.naming), ...subject.understood],
    guesses: [...subject.guesses, ...choice.guesses],
  };
}

function ofTimes(
  times: readonly Place[],
  columns: Columns,
  entity: Read,
  hints: TableHints,
  metrics: MetricCatalog,
): Omit<TablePlan, 'task'> {
  const word = subjectOf(hints, metrics);
  const texts = Array.from({ length: columns.rowCount }, (_, row) => entity(row));
  const choice = chooseNaming(texts, scopesOf(word.found.parameter, metrics), hints);
  const kind = readEntity(texts[0] ?? '', choice.naming)?.kind ?? 'qubit';
  const subject = subjectWith(word, times, columns, hints, metrics);
  return {
    ...choice,
    values: times.map(({ name, index }) => ({
      entity,
      time: () => name,
      parameter: () => word.found.parameter,
      word: word.found,
      value: columns.reads[index] ?? NOTHING,
      unit: () => subject.unit,
      error: NOTHING,
    })),
    notTaken: restOf(times, columns),
    understood: [`a row per ${kind}, a column per time`, ...subject.understood],
    guesses: [...subject.guesses, ...choice.guesses],
  };
}

/** Unit and parameter of the columns, and both in words. */
function subjectWith(
  word: Found<ParameterWord>,
  places: readonly Place[],
  { reads, headings, rowCount }: Columns,
  hints: TableHints,
  metrics: MetricCatalog,
): { readonly unit: string } & Pick<TablePlan, 'understood' | 'guesses'> {
  const numbers = numbersOf(
    places.map(({ index }) => reads[index] ?? NOTHING),
    rowCount,
  );
  const { parameter, isError } = word.found;
  const metric = metricOf(parameter, metrics);
  const ofHeading = headings[places[0]?.index ?? 0]?.unit;
  const written = ofHeading ? { unit: readUnit(ofHeading), from: 'the headings' } : writtenUnit(hints);
  const unit = unitOf(numbers, metric, written, hints.unit, isError);
  refuseTurned(numbers, word, unit.found, metric);
  const title = metric === null ? parameter : `${metric.title} (${parameter})`;
  const stored = metric === null ? unit.found || 'a.u.' : storedUnit(metric);
  return {
    unit: unit.found,
    understood: [
      `parameter: ${title}, from ${word.from}${isError ? '; errors are stored as 1 - error' : ''}`,
      `unit: ${unit.found || 'none'}, from ${unit.from}; stored in ${stored}`,
    ],
    guesses: [
      ...(word.isGuess ? ['the parameter (--parameter)'] : []),
      ...(unit.isGuess ? ['the unit (--unit)'] : []),
    ],
  };
}

/** A fidelity near 0 is an error, and an error near 1 a fidelity: only a person can tell that it is not. */
function refuseTurned(
  numbers: readonly number[],
  { found, from, isGuess }: Found<ParameterWord>,
  unit: string,
  metric: Metric | null,
): void {
  if (!isGuess || metric === null || metric.unit !== '%' || metric.direction !== 'HIGHER_IS_BETTER') return;
  const half = unit === '%' ? 50 : 0.5;
  const low = numbers.filter((number) => number < half).length * 2 > numbers.length;
  if (numbers.length === 0 || low === found.isError) return;
  const [said, looks] = found.isError ? ['an error', 'fidelities'] : ['a fidelity', 'errors'];
  throw refuseFile(
    `${from} says ${said}, but most values are ${low ? 'below' : 'above'} ${half}${unit}, as ${looks} are: pass --parameter "${metric.title.toLowerCase().replace(/ fidelity$/u, '')} error" or --parameter ${metric.name}, whichever is right`,
  );
}

/** @throws InvalidInputError for two columns of one place. */
function valuesOf(
  places: readonly Place[],
  columns: Columns,
  naming: Naming,
  shared: (index: number) => Pick<ValueColumn, 'time' | 'parameter' | 'word' | 'unit'>,
): Pick<TablePlan, 'values' | 'notTaken'> {
  const seen = new Map<string, string>();
  for (const { name } of places) {
    const qid = readPlace(name, naming)?.qid ?? name;
    const same = seen.get(qid);
    if (same !== undefined) {
      throw refuseFile(
        `the columns ${JSON.stringify(same)} and ${JSON.stringify(name)} are both ${qid}: remove one`,
      );
    }
    seen.set(qid, name);
  }
  return {
    values: places.map(({ name, index }) => ({
      ...shared(index),
      entity: () => name,
      value: columns.reads[index] ?? NOTHING,
      error: NOTHING,
    })),
    notTaken: restOf(places, columns),
  };
}

const ROW_ROLES: ReadonlySet<string | null> = new Set([
  'entity',
  'control',
  'target',
  'time',
  'task',
  'parameter',
  'unit',
]);

const restOf = (taken: readonly Place[], { headings, roles }: Columns): readonly string[] =>
  headings.flatMap(({ name }, index) =>
    ROW_ROLES.has(roles[index] ?? null) || taken.some((place) => place.index === index) ? [] : [name],
  );

const timeIn = (heading: string): boolean => toTime(heading.replaceAll('/', '-')) !== null;
const names = (places: readonly { readonly name: string }[]): string =>
  places.map(({ name }) => name).join(', ');
