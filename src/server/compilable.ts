import { BREAK, Kind, visit, type DocumentNode, type OperationDefinitionNode } from 'graphql';

const known = new WeakMap<DocumentNode, boolean>();

/**
 * Whether graphql-jit 0.8 runs a document exactly as graphql-js would. It mistakes one operation of a document for
 * another (the cache knows documents only), gives a subscription field all variables for its arguments and fails where
 * that field has an alias, does not see the defaults of introspection's own arguments, and writes a complaint to the
 * console for each literal. Programs, which send one operation with variables named after the arguments, lose nothing by
 * this.
 */
export function isCompilable(document: DocumentNode): boolean {
  let answer = known.get(document);
  if (answer === undefined) {
    answer = hasOneOperation(document) && !usesWhatIsMistaken(document);
    known.set(document, answer);
  }
  return answer;
}

function hasOneOperation({ definitions }: DocumentNode): boolean {
  return definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length === 1;
}

function usesWhatIsMistaken(document: DocumentNode): boolean {
  let found = false;
  const stop = () => {
    found = true;
    return BREAK;
  };
  visit(document, {
    Field: ({ name }) => (name.value === '__schema' || name.value === '__type' ? stop() : undefined),
    OperationDefinition: (operation) =>
      operation.operation === 'subscription' && !rootArgumentsAreVariables(operation) ? stop() : undefined,
    IntValue: stop,
    FloatValue: stop,
    StringValue: stop,
    BooleanValue: stop,
  });
  return found;
}

/** True for one `field(a: $a, b: $b)` without an alias, in an operation that has no other variables. */
function rootArgumentsAreVariables({
  selectionSet,
  variableDefinitions = [],
}: OperationDefinitionNode): boolean {
  const [field, ...others] = selectionSet.selections;
  if (field?.kind !== Kind.FIELD || field.alias !== undefined || others.length > 0) return false;
  const given = field.arguments ?? [];
  return (
    given.length === variableDefinitions.length &&
    given.every(({ name, value }) => value.kind === Kind.VARIABLE && value.name.value === name.value)
  );
}
