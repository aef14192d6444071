import { BREAK, Kind, visit, type DocumentNode } from 'graphql';

const known = new WeakMap<DocumentNode, boolean>();

/**
 * Whether graphql-jit runs a document exactly as graphql-js would. It mistakes one operation of a document for another
 * (its cache knows documents only), does not see the defaults of introspection's own arguments, and writes a complaint
 * to the console for each literal. Programs, which send one operation with variables, lose nothing by this.
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
    IntValue: stop,
    FloatValue: stop,
    StringValue: stop,
    BooleanValue: stop,
  });
  return found;
}
