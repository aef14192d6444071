import type { ModelInfo } from '@anthropic-ai/sdk/resources/models';
import { BUDGETED_EFFORTS, type Facts } from '../capabilities.ts';
import { EFFORTS } from '../../../config/model-table.ts';

/** What Anthropic's list says of a model; gateways and older versions of the API leave most of it out. */
export function factsOfModel(info: ModelInfo): Facts {
  const { max_input_tokens: contextTokens, max_tokens: outputTokens } = info;
  const can: ModelInfo['capabilities'] | undefined = info.capabilities;
  if (can == null) return { contextTokens, outputTokens };
  const { effort, thinking, image_input: images, structured_outputs: strict } = can;
  const efforts = EFFORTS.filter((name) => name in effort && isSupported(effort[name as 'low']));
  return {
    contextTokens,
    outputTokens,
    images: images.supported,
    strict: strict.supported,
    reasons: thinking.supported,
    efforts: effort.supported ? efforts : thinking.supported ? BUDGETED_EFFORTS : [],
    thinking: !thinking.supported ? null : thinking.types.adaptive.supported ? 'adaptive' : 'budget',
  };
}

const isSupported = (it: { readonly supported: boolean } | null): boolean => it?.supported === true;
