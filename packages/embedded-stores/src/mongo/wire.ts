/**
 * MongoDB's wire protocol: splits a byte stream into messages, reads OP_MSG and the OP_QUERY of old handshakes, and
 * writes replies. Stored documents are copied into replies as bytes. It is independent of the commands.
 */
import { serialize } from 'bson';
import { MalformedBsonError, rawDocuments, rawElements } from './store/bson-elements.ts';

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const HEADER_BYTES = 16;
const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
/** A receiver must refuse unknown flags among bits 0 to 15. */
const REQUIRED_FLAGS = 0xffff;
const ARRAY = 0x04;
const DOCUMENT = 0x03;

/** Largest message, as `hello` announces it. */
export const MAX_MESSAGE_BYTES = 48_000_000;

/** Bytes that are not a protocol message: the connection cannot be read any further. */
class ProtocolError extends Error {}

/** A request, undecoded. */
export type Request = {
  readonly requestId: number;
  readonly opCode: typeof OP_MSG | typeof OP_QUERY;
  /** The command document; without the `documents` of an insert, which are in `sequences`. */
  readonly body: Buffer;
  /** Arrays that travel as raw documents, by argument name. */
  readonly sequences: ReadonlyMap<string, readonly Buffer[]>;
  /** Database of an OP_QUERY; OP_MSG has it in `$db`. */
  readonly database: string | undefined;
  /** The client expects no reply (write concern 0). */
  readonly silent: boolean;
};

/** Collects bytes and calls `onMessage` for each whole message; throws ProtocolError on an impossible length. */
export function createFramer(onMessage: (message: Buffer) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let size = 0;
  let wanted = HEADER_BYTES;
  return (chunk) => {
    chunks.push(chunk);
    size += chunk.length;
    while (size >= wanted) {
      const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
      const length = bytes.readInt32LE(0);
      if (length < HEADER_BYTES || length > MAX_MESSAGE_BYTES) {
        throw new ProtocolError(
          `message length ${length} is not within ${HEADER_BYTES} and ${MAX_MESSAGE_BYTES} bytes`,
        );
      }
      const complete = size >= length;
      const rest = complete ? bytes.subarray(length) : bytes;
      chunks = rest.length > 0 ? [rest] : [];
      size = rest.length;
      wanted = complete ? HEADER_BYTES : length;
      if (complete) onMessage(bytes.subarray(0, length));
    }
  };
}

/** Reads a message; throws ProtocolError or MalformedBsonError. */
export function parseRequest(message: Buffer): Request {
  const requestId = message.readInt32LE(4);
  const opCode = message.readInt32LE(12);
  try {
    if (opCode === OP_MSG) return parseOpMsg(message, requestId);
    if (opCode === OP_QUERY) return parseOpQuery(message, requestId);
  } catch (cause) {
    if (cause instanceof RangeError) throw new ProtocolError('message ends within a field', { cause });
    throw cause;
  }
  throw new ProtocolError(`opcode ${opCode} is not supported; OP_MSG (${OP_MSG}) is`);
}

function parseOpMsg(message: Buffer, requestId: number): Request {
  const flags = message.readUInt32LE(HEADER_BYTES);
  if (flags & REQUIRED_FLAGS & ~(CHECKSUM_PRESENT | MORE_TO_COME)) {
    throw new ProtocolError(`OP_MSG has unknown required flags (0x${flags.toString(16)})`);
  }
  // On a local socket a checksum guards against nothing, so it is not verified.
  const end = message.length - (flags & CHECKSUM_PRESENT ? 4 : 0);
  const sequences = new Map<string, readonly Buffer[]>();
  let body: Buffer | undefined;
  let offset = HEADER_BYTES + 4;
  while (offset < end) {
    const kind = message.readUInt8(offset);
    const size = message.readInt32LE(offset + 1);
    const next = offset + 1 + size;
    if (size < 5 || next > end) throw new ProtocolError('OP_MSG section exceeds its message');
    const section = message.subarray(offset + 1, next);
    if (kind === 0 && !body) body = section;
    else if (kind === 1) readSequence(section, sequences);
    else throw new ProtocolError(`OP_MSG section of kind ${kind} is unknown or there twice`);
    offset = next;
  }
  if (!body) throw new ProtocolError('OP_MSG has no body section');
  const silent = (flags & MORE_TO_COME) !== 0;
  return {
    requestId,
    opCode: OP_MSG,
    body: takeDocuments(body, sequences),
    sequences,
    database: undefined,
    silent,
  };
}

function readSequence(section: Buffer, into: Map<string, readonly Buffer[]>): void {
  const nameEnd = section.indexOf(0, 4);
  if (nameEnd < 0) throw new ProtocolError('document sequence has no name');
  const documents: Buffer[] = [];
  let offset = nameEnd + 1;
  while (offset < section.length) {
    const size = section.readInt32LE(offset);
    if (size < 5 || offset + size > section.length) {
      throw new ProtocolError('document exceeds its sequence');
    }
    documents.push(section.subarray(offset, offset + size));
    offset += size;
  }
  into.set(section.toString('utf8', 4, nameEnd), documents);
}

/** Turns an inline `documents` array into a sequence, so that inserted documents are never decoded as a whole. */
function takeDocuments(body: Buffer, sequences: Map<string, readonly Buffer[]>): Buffer {
  for (const element of rawElements(body)) {
    if (element.name !== 'documents' || element.type !== ARRAY) continue;
    sequences.set('documents', rawDocuments(body, element));
    return documentOf([body.subarray(4, element.start), body.subarray(element.end, body.length - 1)]);
  }
  return body;
}

function parseOpQuery(message: Buffer, requestId: number): Request {
  const nameStart = HEADER_BYTES + 4;
  const nameEnd = message.indexOf(0, nameStart);
  if (nameEnd < 0) throw new ProtocolError('OP_QUERY has no collection name');
  const [database] = message.toString('utf8', nameStart, nameEnd).split('.');
  const start = nameEnd + 1 + 8;
  const size = message.readInt32LE(start);
  if (size < 5 || start + size > message.length) throw new ProtocolError('OP_QUERY exceeds its message');
  return {
    requestId,
    opCode: OP_QUERY,
    body: message.subarray(start, start + size),
    sequences: new Map(),
    database,
    silent: false,
  };
}

/** A reply document: plain fields, or a page of stored documents. */
export type Reply = Readonly<Record<string, unknown>> | CursorReply;

/** A page of a cursor; `id` is 0 on the last page. */
export class CursorReply {
  readonly id: bigint;
  readonly namespace: string;
  readonly field: 'firstBatch' | 'nextBatch';
  readonly documents: readonly Buffer[];
  constructor(
    id: bigint,
    namespace: string,
    field: 'firstBatch' | 'nextBatch',
    documents: readonly Buffer[],
  ) {
    this.id = id;
    this.namespace = namespace;
    this.field = field;
    this.documents = documents;
  }
}

let nextRequestId = 1;

/** The bytes that answer `request`. */
export function encodeReply(request: Request, reply: Reply): Buffer {
  const body = reply instanceof CursorReply ? encodeCursor(reply) : Buffer.from(serialize(reply));
  const isMessage = request.opCode === OP_MSG;
  // OP_MSG: flags and section kind. OP_REPLY: flags (await capable), cursor id, start, number of documents.
  const prefix = Buffer.alloc(isMessage ? 5 : 20);
  if (!isMessage) {
    prefix.writeInt32LE(8, 0);
    prefix.writeInt32LE(1, 16);
  }
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  header.writeInt32LE(HEADER_BYTES + prefix.length + body.length, 0);
  header.writeInt32LE(nextRequestId, 4);
  header.writeInt32LE(request.requestId, 8);
  header.writeInt32LE(isMessage ? OP_MSG : OP_REPLY, 12);
  nextRequestId = (nextRequestId + 1) & 0x7fffffff;
  return Buffer.concat([header, prefix, body]);
}

function encodeCursor({ id, namespace, field, documents }: CursorReply): Buffer {
  const batch = documentOf(documents.map((document, i) => elementOf(DOCUMENT, String(i), document)));
  const cursor = documentOf([fieldsOf({ id, ns: namespace }), elementOf(ARRAY, field, batch)]);
  return documentOf([elementOf(DOCUMENT, 'cursor', cursor), fieldsOf({ ok: 1 })]);
}

function fieldsOf(fields: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.from(serialize(fields)).subarray(4, -1);
}

function elementOf(type: number, name: string, value: Buffer): Buffer {
  return Buffer.concat([Buffer.of(type), Buffer.from(`${name}\0`), value]);
}

function documentOf(elements: readonly Buffer[]): Buffer {
  const size = elements.reduce((sum, { length }) => sum + length, 5);
  const length = Buffer.allocUnsafe(4);
  length.writeInt32LE(size, 0);
  return Buffer.concat([length, ...elements, Buffer.of(0)], size);
}

/** True for errors after which the connection has to be closed. */
export function isFatal(error: unknown): boolean {
  return error instanceof ProtocolError || error instanceof MalformedBsonError;
}
