import { CloseButton, Group, Text } from '@mantine/core';
import type { CopilotSetupQuery } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import type { Refusal } from './take-images.ts';

const BYTES_OF_MB = 1024 * 1024;

/** Files that do not go along with the message, each with the reason. */
export function RefusedImages({
  refused,
  limits: { maxImages, maxImageBytes },
  onDismiss,
}: {
  readonly refused: readonly Refusal[];
  readonly limits: Pick<CopilotSetupQuery['copilotConfig'], 'maxImages' | 'maxImageBytes'>;
  readonly onDismiss: () => void;
}) {
  const { copilot, common } = useWords();
  const words: Record<Refusal['reason'], string> = {
    NOT_FOR_MODEL: copilot.imageRefusals.notForModel,
    NO_PICTURE: copilot.imageRefusals.noPicture,
    TOO_LARGE: copilot.imageRefusals.tooLarge(Math.round(maxImageBytes / BYTES_OF_MB)),
    TOO_MANY: copilot.imageRefusals.tooMany(maxImages),
  };
  return (
    <div role="alert">
      {refused.length > 0 && (
        <Group gap="xs" mb={6} wrap="nowrap" align="flex-start">
          <div>
            {refused.map(({ name, reason }, index) => (
              <Text key={index} size="xs" c="red" style={{ overflowWrap: 'anywhere' }}>
                {name}: {words[reason]}
              </Text>
            ))}
          </div>
          <CloseButton size="xs" aria-label={common.close} onClick={onDismiss} />
        </Group>
      )}
    </div>
  );
}
