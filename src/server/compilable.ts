import { BREAK, Kind, visit, type DocumentNode, type OperationDefinitionNode } from 'graphql';

const known = new WeakMap<DocumentNode, boolean>();

/**
 * Whether graphql-jit 0.8 executes a document exactly like graphql-js. It confuses the operations of a document (its
 * cache only knows documents), passes all variables as arguments to a subscription field and fails if that has an
 * alias, ignores the defaults of introspection arguments, and logs a warning for each literal. Programs, which send
 * one operation with variables named like the arguments, are not affected.
 */
export function isCompilable(document: DocumentNode): boolean {
  let answer = known.get(document);
  if (answer === undefined) {
    answer = hasOneOperation(document) && !usesUnsupportedParts(document);
    known.set(document, answer);
  }
  return answer;
}

function hasOneOperation({ definitions }: DocumentNode): boolean {
  return definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length === 1;
}

function usesUnsupportedParts(document: DocumentNode): boolean {
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

/** True for a single `field(a: $a, b: $b)` without an alias in an operation without other variables. */
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
