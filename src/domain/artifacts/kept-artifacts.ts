import { withLineFeeds, type Artifacts } from './artifacts.ts';
import { toStoredText } from '../text/stored-text.ts';
import { redactJson, redactSecrets } from '../../base/redaction/redact.ts';

/** Artifacts as they are kept, whoever wrote them: what can be stored, with one kind of line end, and without secrets. */
export function keptArtifacts({ instructions, config, description }: Artifacts): Artifacts {
  return {
    instructions: instructions && kept(instructions),
    config: config && redactJson(config),
    description: description && kept(description),
  };
}

const kept = (text: string): string => redactSecrets(toStoredText(withLineFeeds(text)));
