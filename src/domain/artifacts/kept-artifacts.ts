import { withLineFeeds, type Artifacts } from './artifacts.ts';
import { toStoredText } from '../text/stored-text.ts';
import { redactJson, redactSecrets } from '../../base/redaction/redact.ts';

/** Artifacts ready to be stored: storable characters, line feeds only, secrets redacted. */
export function keptArtifacts({ instructions, config, description }: Artifacts): Artifacts {
  return {
    instructions: instructions && kept(instructions),
    config: config && redactJson(config),
    description: description && kept(description),
  };
}

const kept = (text: string): string => redactSecrets(toStoredText(withLineFeeds(text)));
