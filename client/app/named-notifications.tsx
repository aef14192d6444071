import { MantineThemeProvider, Notification } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { useMemo } from 'react';
import { useWords } from '../lib/i18n/i18n.tsx';

/** Where notes come up; the button that closes one has a name in the reader's language. */
export function NamedNotifications() {
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
