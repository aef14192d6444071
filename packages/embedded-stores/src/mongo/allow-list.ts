/**
 * Everything that this server supports, as published in the README and in `buildInfo`. Anything else is refused with
 * MongoDB's error code and a message that names it. The implementation's tables are typed by these lists, so the two
 * cannot drift apart.
 */

/** Database commands. */
export const COMMANDS = [
  'aggregate',
  'buildInfo',
  'buildinfo',
  'count',
  'create',
  'createIndexes',
  'delete',
  'distinct',
  'drop',
  'dropDatabase',
  'dropIndexes',
  'endSessions',
  'explain',
  'find',
  'findAndModify',
  'getMore',
  'getParameter',
  'hello',
  'insert',
  'isMaster',
  'ismaster',
  'killCursors',
  'listCollections',
  'listDatabases',
  'listIndexes',
  'ping',
  'serverStatus',
  'update',
] as const;

/** Operators of a whole filter. */
export const FILTER_OPERATORS = ['$and', '$or', '$nor', '$expr', '$comment'] as const;

/** Operators on one field of a filter. */
export const FIELD_OPERATORS = [
  '$eq',
  '$ne',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$in',
  '$nin',
  '$exists',
  '$type',
  '$not',
  '$regex',
  '$options',
  '$elemMatch',
  '$all',
  '$size',
] as const;

/** Update operators. `$push` takes `$each` and `$slice`, `$addToSet` takes `$each`. */
export const UPDATE_OPERATORS = [
  '$set',
  '$unset',
  '$inc',
  '$min',
  '$max',
  '$push',
  '$pull',
  '$addToSet',
  '$setOnInsert',
  '$rename',
] as const;

/** Aggregation stages. `$setWindowFields` knows `$documentNumber`, `$rank` and `$denseRank` only. */
export const STAGES = [
  '$addFields',
  '$count',
  '$facet',
  '$group',
  '$limit',
  '$lookup',
  '$match',
  '$project',
  '$replaceRoot',
  '$replaceWith',
  '$set',
  '$setWindowFields',
  '$skip',
  '$sort',
  '$sortByCount',
  '$unionWith',
  '$unset',
  '$unwind',
] as const;

/** Accumulators of `$group`. */
export const ACCUMULATORS = [
  '$addToSet',
  '$avg',
  '$bottom',
  '$bottomN',
  '$count',
  '$first',
  '$firstN',
  '$last',
  '$lastN',
  '$max',
  '$median',
  '$mergeObjects',
  '$min',
  '$push',
  '$stdDevSamp',
  '$sum',
  '$top',
  '$topN',
] as const;

/** Expression operators. */
export const EXPRESSIONS = [
  '$abs',
  '$add',
  '$and',
  '$arrayElemAt',
  '$arrayToObject',
  '$avg',
  '$cmp',
  '$concat',
  '$concatArrays',
  '$cond',
  '$convert',
  '$dateToString',
  '$dateTrunc',
  '$divide',
  '$eq',
  '$filter',
  '$first',
  '$getField',
  '$gt',
  '$gte',
  '$ifNull',
  '$in',
  '$isArray',
  '$isNumber',
  '$last',
  '$let',
  '$literal',
  '$lt',
  '$lte',
  '$map',
  '$max',
  '$mergeObjects',
  '$min',
  '$multiply',
  '$ne',
  '$not',
  '$objectToArray',
  '$or',
  '$reduce',
  '$regexMatch',
  '$setUnion',
  '$size',
  '$slice',
  '$subtract',
  '$sum',
  '$switch',
  '$toDate',
  '$toDouble',
  '$toLower',
  '$toString',
  '$type',
] as const;

export type CommandName = (typeof COMMANDS)[number];
export type UpdateOperator = (typeof UPDATE_OPERATORS)[number];
export type StageName = (typeof STAGES)[number];
export type AccumulatorName = (typeof ACCUMULATORS)[number];
export type ExpressionName = (typeof EXPRESSIONS)[number];
export type FieldOperator = (typeof FIELD_OPERATORS)[number];
