/** A page with `useChat` as its documentation has it: parts of text, calls and charts, and a stream that is resumed. */
import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport } from 'ai';
import { useState, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

const id = new URLSearchParams(location.search).get('chat') ?? 'chat';
const transport = new DefaultChatTransport({ api: '/ai-sdk/chat' });

function Page(): ReactNode {
  const [input, setInput] = useState('');
  const { messages, sendMessage, status, error } = useChat({ id, transport, resume: true });
  return (
    <main>
      {messages.map((message) => (
        <article key={message.id} data-role={message.role}>
          {message.parts.map((part, at) => {
            if (part.type === 'text') return <p key={at}>{part.text}</p>;
            if (part.type === 'dynamic-tool')
              return <code key={at}>{`${part.toolName}: ${part.state}`}</code>;
            return <small key={at}>{part.type}</small>;
          })}
        </article>
      ))}
      <p role="status">{error === undefined ? status : error.message}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void sendMessage({ text: input });
          setInput('');
        }}
      >
        <input aria-label="Question" value={input} onChange={(event) => setInput(event.target.value)} />
        <button type="submit">Ask</button>
      </form>
    </main>
  );
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<Page />);
