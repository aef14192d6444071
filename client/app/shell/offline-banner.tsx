import { Alert } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useWords } from '../../lib/i18n/i18n.tsx';

/** Says that the network is gone; the status region of the shell says it aloud. */
export function OfflineBanner() {
  const { common } = useWords();
  return (
    <Alert color="yellow" radius={0} py="xs" icon={<IconCloudOff size={16} />}>
      {common.offline}
    </Alert>
  );
}
