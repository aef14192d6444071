import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconLink } from '@tabler/icons-react';
import { addressOf } from '../lib/graphql/project.ts';
import { useWords } from '../lib/i18n/i18n.tsx';

/** Copies the address of a part of a page. Who follows it sees what they may read. */
export function CopyLink({ path }: { readonly path: string }) {
  const { search } = useWords();
  return (
    <CopyButton value={addressOf(path)}>
      {({ copied, copy }) => {
        const label = copied ? search.linkCopied : search.copyLink;
        return (
          <Tooltip label={label}>
            <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label} onClick={copy}>
              {copied ? <IconCheck size={15} /> : <IconLink size={15} />}
            </ActionIcon>
          </Tooltip>
        );
      }}
    </CopyButton>
  );
}
