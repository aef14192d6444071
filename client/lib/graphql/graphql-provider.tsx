import { createContext, use, useState, type ReactNode } from 'react';
import { Provider } from 'urql';
import { createGraphql } from './create-graphql.ts';
import type { Socket } from './socket.ts';

const SocketContext = createContext<Socket | null>(null);

/** Gives the pages below it the way to the server. */
export function GraphqlProvider({ children }: { readonly children: ReactNode }) {
  const [{ client, socket }] = useState(createGraphql);
  return (
    <SocketContext value={socket}>
      <Provider value={client}>{children}</Provider>
    </SocketContext>
  );
}

/** The socket itself, for what needs to know when it drops. */
export function useSocket(): Socket {
  const socket = use(SocketContext);
  if (socket === null) throw new Error('useSocket is for components below GraphqlProvider');
  return socket;
}
