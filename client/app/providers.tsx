import { MantineProvider, MantineThemeProvider, Notification } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { useMemo, useState, useSyncExternalStore, type ReactNode } from 'react';
import { Provider } from 'urql';
import { createGraphqlClient } from '../lib/graphql/create-graphql-client.ts';
import { I18nProvider, useWords } from '../lib/i18n/i18n.tsx';
import { pageNonce } from '../lib/page-nonce.ts';
import { PageSubjectProvider } from '../lib/page-subject.tsx';
import { SidePanelProvider } from '../lib/side-panel.tsx';
import { cssVariables, theme } from './theme.ts';

const PAPER = matchMedia('print');

function onPaper(changed: () => void): () => void {
  PAPER.addEventListener('change', changed);
  return () => PAPER.removeEventListener('change', changed);
}

/** Everything that pages may ask for without being handed it. */
export function Providers({ children }: { readonly children: ReactNode }) {
  const isOnPaper = useSyncExternalStore(onPaper, () => PAPER.matches);
  return (
    <MantineProvider
      // Paper is white, also for who reads in the dark.
      {...(isOnPaper && { forceColorScheme: 'light' as const })}
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={pageNonce}
    >
      <I18nProvider>
        <GraphqlProvider>
          <PageSubjectProvider>
            <SidePanelProvider>
              <ModalsProvider>
                <NamedNotifications />
                {children}
              </ModalsProvider>
            </SidePanelProvider>
          </PageSubjectProvider>
        </GraphqlProvider>
      </I18nProvider>
    </MantineProvider>
  );
}

/** Where notes come up; the button that closes one has a name in the reader's language. */
function NamedNotifications() {
  const { common } = useWords();
  const theme = useMemo(
    () => ({
      components: {
        Notification: Notification.extend({
          defaultProps: { closeButtonProps: { 'aria-label': common.close } },
        }),
      },
    }),
    [common],
  );
  return (
    <MantineThemeProvider theme={theme} inherit>
      <Notifications position="bottom-right" />
    </MantineThemeProvider>
  );
}

/** Gives the pages below it the way to the server. */
function GraphqlProvider({ children }: { readonly children: ReactNode }) {
  const [client] = useState(createGraphqlClient);
  return <Provider value={client}>{children}</Provider>;
}
