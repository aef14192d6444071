import { Text } from '@mantine/core';

/** What is wrong with a field that has no place of its own for it; nothing for null. */
export function FieldError({ text }: { readonly text: string | null }) {
  if (text === null) return null;
  return (
    <Text size="xs" c="var(--mantine-color-error)" my={4} role="alert">
      {text}
    </Text>
  );
}
