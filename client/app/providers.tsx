import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import type { ReactNode } from 'react';
import { GraphqlProvider } from '../lib/graphql/graphql-provider.tsx';
import { I18nProvider } from '../lib/i18n/i18n.tsx';
import { pageNonce } from '../lib/page-nonce.ts';
import { PageSubjectProvider } from '../lib/page-subject.tsx';
import { SidePanelProvider } from '../lib/side-panel.tsx';
import { NamedNotifications } from './named-notifications.tsx';
import { cssVariables, theme } from './theme.ts';

/** Everything that pages may ask for without being handed it. */
export function Providers({ children }: { readonly children: ReactNode }) {
  return (
    <MantineProvider
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
