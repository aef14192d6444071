/** A proxy before a MongoDB server that keeps every command which passes, in the order in which they arrived. */
import { createConnection, createServer, type Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';

/** A command with the types of its values as they were sent. */
export type RecordedCommand = { readonly database: string; readonly command: Document };

/** A running proxy. */
export type Recorder = {
  readonly uri: string;
  readonly commands: readonly RecordedCommand[];
  close(): Promise<void>;
};

const OP_MSG = 2013;
const HEADER_BYTES = 16;
const KEEP_TYPES = { promoteValues: false, promoteBuffers: false, bsonRegExp: true } as const;
/** What drivers add for a connection or a session of theirs. */
const OF_THE_DRIVER = [
  '$db',
  'lsid',
  'txnNumber',
  '$clusterTime',
  '$readPreference',
  'maxTimeMS',
  'apiVersion',
];

/** Listens on `socketPath` and passes everything on to the server on the socket `target`. */
export async function startRecorder(target: string, socketPath: string): Promise<Recorder> {
  const commands: RecordedCommand[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = createConnection(target);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('close', () => other.destroy());
      socket.on('error', () => other.destroy());
    }
    let rest = Buffer.alloc(0);
    client.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= HEADER_BYTES && rest.length >= rest.readInt32LE(0)) {
        const message = rest.subarray(0, rest.readInt32LE(0));
        rest = rest.subarray(message.length);
        if (message.readInt32LE(12) === OP_MSG) commands.push(commandOf(message));
      }
    });
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => void server.listen(socketPath, resolve));
  return {
    uri: `mongodb://${encodeURIComponent(socketPath)}/?directConnection=true`,
    commands,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The sections of an OP_MSG as one document. */
function commandOf(message: Buffer): RecordedCommand {
  const command: Document = {};
  for (let offset = HEADER_BYTES + 4; offset < message.length;) {
    const size = message.readInt32LE(offset + 1);
    const section = message.subarray(offset + 1, offset + 1 + size);
    if (message[offset] === 0) Object.assign(command, BSON.deserialize(section, KEEP_TYPES));
    else Object.assign(command, sequenceOf(section));
    offset += 1 + size;
  }
  const database = String(command['$db']);
  for (const name of OF_THE_DRIVER) delete command[name];
  return { database, command };
}

function sequenceOf(section: Buffer): Document {
  const nameEnd = section.indexOf(0, 4);
  const documents: Document[] = [];
  for (let offset = nameEnd + 1; offset < section.length; offset += section.readInt32LE(offset))
    documents.push(
      BSON.deserialize(section.subarray(offset, offset + section.readInt32LE(offset)), KEEP_TYPES),
    );
  return { [section.toString('utf8', 4, nameEnd)]: documents };
}
