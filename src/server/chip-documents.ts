import { Kind, type DocumentNode, type FieldNode, type ValueNode } from 'graphql';

/** Fields of Query that return data of the chip named by their argument `chipId`, and nothing else. */
const CHIP_FIELDS: readonly string[] = ['chip', 'qubit', 'coupling'];

const known = new WeakMap<DocumentNode, readonly ValueNode[] | null>();

/** The chips that a query is about; null for an operation that also reads something else, or changes anything. */
export function chipIdsOf(
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
): readonly string[] | null {
  let values = known.get(document);
  if (values === undefined) known.set(document, (values = chipArgumentsOf(document)));
  if (values === null) return null;
  const ids = values.map((value) => {
    if (value.kind === Kind.STRING) return value.value;
    return value.kind === Kind.VARIABLE ? variables[value.name.value] : null;
  });
  return ids.every((id) => typeof id === 'string') ? [...new Set(ids)].toSorted() : null;
}

/** The argument `chipId` of each root field. */
function chipArgumentsOf({ definitions }: DocumentNode): readonly ValueNode[] | null {
  const operations = definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const [operation] = operations;
  if (operations.length !== 1 || operation?.kind !== Kind.OPERATION_DEFINITION) return null;
  if (operation.operation !== 'query') return null;
  const values = operation.selectionSet.selections.map((selection) =>
    selection.kind === Kind.FIELD && CHIP_FIELDS.includes(selection.name.value)
      ? argumentOf(selection)
      : null,
  );
  return values.every((value) => value !== null) ? values : null;
}

const argumentOf = (field: FieldNode): ValueNode | null =>
  field.arguments?.find(({ name }) => name.value === 'chipId')?.value ?? null;
