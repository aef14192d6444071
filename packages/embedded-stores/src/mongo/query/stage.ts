/** The shape of an aggregation stage. */
import { type Flow, PAUSE } from '../steps.ts';
import type { Compiler, Variables } from './compiler.ts';
import { type FieldTest } from './filter.ts';
import { type Doc, type Value } from './values.ts';

/** A compiled stage. */
export type Stage = {
  /** True if the output passes on no input fields other than those recorded as needed. */
  readonly closes: boolean;
  run(documents: Flow<Doc>, variables: Variables): Flow<Doc>;
};

/** The condition on a field by which `$lookup` joins. */
export type Join = { readonly path: string; readonly test: FieldTest };

/**
 * Reads other collections for `$lookup` and `$unionWith`; the pipeline runs as if it were its own aggregation, behind a
 * `$match` of the join.
 */
export type Reader = (
  collection: string,
  pipeline: readonly Doc[],
  variableNames: readonly string[],
) => (variables: Variables, joined?: Join) => Flow<Doc>;

/** What stages are compiled with. */
export type StageContext = { readonly compiler: Compiler; readonly read: Reader };

/** Compiles the argument of a stage; `name` is for messages. */
export type StageCompiler = (spec: Value, context: StageContext, name: string) => Stage;

/** A stage that turns each document into one other. */
export function mapping(closes: boolean, map: (document: Doc, variables: Variables) => Doc): Stage {
  return {
    closes,
    *run(documents, variables) {
      for (const document of documents) yield document === PAUSE ? document : map(document, variables);
    },
  };
}
