/** The codes and code names of MongoDB's `error_codes.yml` that this server answers with. */
const CODES = {
  BadValue: 2,
  FailedToParse: 9,
  TypeMismatch: 14,
  Overflow: 15,
  IllegalOperation: 20,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  NamespaceExists: 48,
  MaxTimeMSExpired: 50,
  DollarPrefixedFieldName: 52,
  InvalidIdField: 53,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  InvalidNamespace: 73,
  InvalidOptions: 72,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  CursorInUse: 143,
  CannotIndexParallelArrays: 171,
  QueryPlanKilled: 175,
  InvalidPipelineOperator: 168,
  DuplicateKey: 11000,
  BSONObjectTooLarge: 10334,
  OutOfDiskSpace: 14031,
  InternalError: 1,
} as const;

/**
 * Name of a code that has one; codes that occur in a single place of MongoDB's sources are called
 * `Location<code>`.
 */
export type MongoCodeName = keyof typeof CODES;

/**
 * An error with MongoDB's code: the driver turns it into a `MongoServerError` with `code` and `codeName`.
 * Pass a number for a code that MongoDB uses in one place only, such as 40324 (unknown stage).
 */
export class MongoError extends Error {
  readonly code: number;
  readonly codeName: string;
  /** Further fields of the error document, for example `keyPattern` and `keyValue` of a duplicate key. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: MongoCodeName | number,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.code = typeof code === 'number' ? code : CODES[code];
    this.codeName = typeof code === 'number' ? `Location${code}` : code;
    this.details = details;
  }
}
