/** Sends recorded commands to two servers and compares what they answer. */
import { BSON, type ClientSession, type Document, type MongoClient, MongoServerError } from 'mongodb';
import type { RecordedCommand } from './record.ts';

/** Answers a command, or the error that it answers with. */
export type Server = (database: string, command: Document) => Promise<Document>;

/** A command that two servers answer differently. */
export type Difference = {
  readonly place: number;
  readonly command: string;
  readonly ours: string;
  readonly theirs: string;
};

/** What came of a comparison. */
export type Comparison = {
  /** Commands whose answers were compared. */
  readonly compared: number;
  /** Of these, answers whose documents differ only where the sort leaves open which of several come within the limit. */
  readonly tied: number;
  readonly differences: readonly Difference[];
};

/** Commands whose answers mean something; the others belong to connections, or say how, not what. */
const COMPARED = new Set([
  'aggregate',
  'count',
  'create',
  'createIndexes',
  'delete',
  'distinct',
  'drop',
  'dropDatabase',
  'dropIndexes',
  'find',
  'findAndModify',
  'insert',
  'update',
]);
/** Fields of an answer that may differ: they describe the server. */
const KEPT = ['n', 'nModified', 'value', 'values', 'upserted', 'writeErrors', 'code', 'documents'];
const KEEP_TYPES = { promoteValues: false, promoteBuffers: false, bsonRegExp: true } as const;

/** A server behind a client; all pages of an answer are read. */
export function serverOf(client: MongoClient, session: ClientSession): Server {
  const send = (database: string, command: Document): Promise<Document> =>
    client.db(database).command(command, { ...KEEP_TYPES, session });
  return async (database, command) => {
    try {
      const answer = await send(database, withLargePages(command));
      const { cursor } = answer;
      if (cursor === undefined) return answer;
      const documents: Document[] = [...(cursor.firstBatch ?? [])];
      for (let id = cursor.id; BigInt(id) !== 0n;) {
        const collection = String(cursor.ns).slice(database.length + 1);
        const next = (await send(database, { getMore: id, collection })).cursor;
        documents.push(...next.nextBatch);
        id = next.id;
      }
      return { documents };
    } catch (error) {
      if (error instanceof MongoServerError) return { code: error.code };
      throw error;
    }
  };
}

const LARGE = 100_000;

function withLargePages(command: Document): Document {
  if ('find' in command && !command['singleBatch']) return { ...command, batchSize: LARGE };
  return 'aggregate' in command ? { ...command, cursor: { batchSize: LARGE } } : command;
}

/** Sends each command to both, in order; databases that commands name begin and end empty. */
export async function compare(
  commands: readonly RecordedCommand[],
  ours: Server,
  theirs: Server,
): Promise<Comparison> {
  const databases = [...new Set(commands.map(({ database }) => database))].filter((name) => name !== 'admin');
  const dropAll = async (): Promise<void> => {
    for (const name of databases)
      await Promise.all([ours(name, { dropDatabase: 1 }), theirs(name, { dropDatabase: 1 })]);
  };
  await dropAll();
  const differences: Difference[] = [];
  let [compared, tied] = [0, 0];
  for (const [place, { database, command }] of commands.entries()) {
    if (!COMPARED.has(Object.keys(command)[0] ?? '')) continue;
    compared++;
    const [a, b] = await Promise.all([ours(database, command), theirs(database, command)]);
    const verdict = verdictOf(command, essenceOf(a), essenceOf(b));
    if (verdict === 'tied') tied++;
    if (verdict === 'different')
      differences.push({
        place,
        command: shortened(command),
        ours: shortened(essenceOf(a)),
        theirs: shortened(essenceOf(b)),
      });
  }
  await dropAll();
  return { compared, tied, differences };
}

const essenceOf = (answer: Document): Document =>
  Object.fromEntries(
    KEPT.flatMap((name) => (answer[name] === undefined ? [] : [[name, errorsOf(answer[name])]])),
  );

/** Of write errors only place and code: their texts are each server's own. */
const errorsOf = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((each: Document) =>
        each?.['errmsg'] === undefined ? each : { index: each['index'], code: each['code'] },
      )
    : value;

function verdictOf(command: Document, a: Document, b: Document): 'same' | 'tied' | 'different' {
  if (textOf(a) === textOf(b)) return 'same';
  const [left, right] = [a['documents'], b['documents']] as (Document[] | undefined)[];
  if (!left || !right || left.length !== right.length) return 'different';
  const sort = sortOf(command);
  if (sort && textOf(keysOf(left, sort)) !== textOf(keysOf(right, sort))) return 'different';
  const isCut = textOf(command).match(/"(limit|\$limit|skip|\$skip|\$first|\$firstN|\$push)"/u) !== null;
  const isSame = textOf(sorted(left)) === textOf(sorted(right));
  return isSame ? 'same' : isCut ? 'tied' : 'different';
}

const sorted = (documents: readonly Document[]): string[] => documents.map(textOf).toSorted();

/** The order of the answer: that of `find`, or of a pipeline whose last stages keep it. */
function sortOf(command: Document): Document | undefined {
  if (command['find'] !== undefined) return command['sort'] as Document | undefined;
  const pipeline = (command['pipeline'] ?? []) as Document[];
  const last = pipeline.findLast((stage) => !['$limit', '$skip', '$match'].some((name) => name in stage));
  return last?.['$sort'] as Document | undefined;
}

const keysOf = (documents: readonly Document[], sort: Document): unknown[] =>
  documents.map((document) =>
    Object.keys(sort).map((path) =>
      path.split('.').reduce<unknown>((value, part) => (value as Document | undefined)?.[part], document),
    ),
  );

/** Types and values; the last digits of a sum depend on the order of its terms. */
function textOf(value: unknown): string {
  const text = BSON.EJSON.stringify(value, { relaxed: false });
  return text.replaceAll(
    /\{"\$numberDouble":"(-?\d[^"]*)"\}/gu,
    (_all, digits: string) => `{"$numberDouble":"${Number(digits).toPrecision(12)}"}`,
  );
}

const SHOWN = 600;

function shortened(value: Document): string {
  const text = textOf(value);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}… (${text.length} characters)`;
}
