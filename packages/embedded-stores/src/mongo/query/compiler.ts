/** The types of compiled expressions and of their compiler, shared by operators, stages and accumulators. */
import type { Needs } from './needs.ts';
import type { Doc, Maybe, Value } from './values.ts';

/** Values of `$$name` variables in scope. */
export type Variables = Readonly<Record<string, Maybe>>;

/** A compiled expression: its value for one document, `undefined` where it is missing. */
export type Evaluate = (root: Doc, variables: Variables) => Maybe;

/** Compiles expressions within a scope of known variables and records the fields they read. */
export type Compiler = {
  readonly needs: Needs;
  readonly compile: (expression: Value) => Evaluate;
  /** The same scope, with a record of needs of its own. */
  readonly withNeeds: (needs: Needs) => Compiler;
  /** The same scope with more variables. */
  readonly withVariables: (names: readonly string[]) => Compiler;
};
