import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useWords } from '../../lib/i18n/i18n.tsx';

/** A password, which can be shown. */
export function PasswordField(props: PasswordInputProps) {
  const { account } = useWords();
  return <PasswordInput {...props} visibilityToggleButtonProps={{ 'aria-label': account.show }} />;
}
