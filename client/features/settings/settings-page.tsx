import { Title } from '@mantine/core';
import { useWords } from '../../lib/i18n/i18n.tsx';
export function SettingsPage() {
  const { settings } = useWords();
  return <Title>{settings.title}</Title>;
}
