/** The web client. It depends on the server only through the GraphQL schema. */
import './before-libraries.ts';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './styles.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Pages } from './project-gate.tsx';
import { Providers } from './providers.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <Providers>
      <Pages />
    </Providers>
  </StrictMode>,
);
