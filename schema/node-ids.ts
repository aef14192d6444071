import { InvalidInputError } from '../src/base/errors.ts';

/** Every type with a global id. */
export const NODE_TYPES = [
  'Chip',
  'Qubit',
  'Coupling',
  'TaskResult',
  'Execution',
  'CopilotSession',
  'BuilderSession',
  'Job',
  'Turn',
  'Message',
  'Chart',
  'DataTable',
  'ToolCall',
  'HistorySummary',
  'Upload',
  'JobDraft',
  'Expert',
  'Comment',
  'Board',
] as const;

export type NodeType = (typeof NODE_TYPES)[number];

const isNodeType = (text: string): text is NodeType => (NODE_TYPES as readonly string[]).includes(text);

/** The opaque form of an id: base64url of `type:key`. */
export function encodeNodeId(type: string, key: string | number | bigint): string {
  return Buffer.from(`${type}:${key}`, 'utf8').toString('base64url');
}

/**
 * Type and key of an opaque id; ordinary base64 is read as well.
 * @throws InvalidInputError unless {@link encodeNodeId} made the text
 */
export function decodeNodeId(id: string): { typename: NodeType; id: string } {
  const text = Buffer.from(id, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  const typename = text.slice(0, Math.max(colon, 0));
  const key = text.slice(colon + 1);
  if (!isNodeType(typename) || key === '') throw invalidId(id, 'an id returned by this API');
  return { typename, id: key };
}

/**
 * Key of an id that must be of `type`.
 * @throws InvalidInputError for a broken id and for an id of another type; `path` leads to the argument.
 */
export function keyOf(type: NodeType, id: string, path: readonly string[] = ['id']): string {
  const expected = `the id of a ${type}`;
  const decoded = tryDecode(id);
  if (decoded === null) throw invalidId(id, expected, path);
  if (decoded.typename !== type) {
    throw new InvalidInputError([
      { path, message: `this is the id of a ${decoded.typename}; give ${expected}` },
    ]);
  }
  return decoded.id;
}

/** Key of an entity within a chip. Chip ids may contain any character, entity ids no slash. */
export const withinChip = (chipId: string, entityId: string): string => `${chipId}/${entityId}`;

/** Splits what {@link withinChip} joined; null without a slash. */
export function splitWithinChip(key: string): { chipId: string; entityId: string } | null {
  const slash = key.lastIndexOf('/');
  return slash < 1 ? null : { chipId: key.slice(0, slash), entityId: key.slice(slash + 1) };
}

function tryDecode(id: string): { typename: NodeType; id: string } | null {
  try {
    return decodeNodeId(id);
  } catch (error) {
    if (error instanceof InvalidInputError) return null;
    throw error;
  }
}

function invalidId(id: string, expected: string, path: readonly string[] = ['id']): InvalidInputError {
  const shown = id.length > 60 ? `${id.slice(0, 60)}…` : id;
  return new InvalidInputError([
    { path, message: `${JSON.stringify(shown)} is not an id; give ${expected}` },
  ]);
}
