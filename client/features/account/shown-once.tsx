import { Alert, Button, Code, CopyButton, Group } from '@mantine/core';
import { useWords } from '../../lib/i18n/i18n.tsx';

/** A new link or key, with a button that copies it. It cannot be shown again. */
export function ShownOnce({ title, text }: { readonly title: string; readonly text: string | null }) {
  const { account } = useWords();
  if (text === null) return null;
  return (
    <Alert color="teal" title={title} role="status">
      <Group gap="xs">
        <Code>{text}</Code>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button size="compact-xs" variant="default" onClick={copy}>
              {copied ? account.copied : account.copy}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Alert>
  );
}
