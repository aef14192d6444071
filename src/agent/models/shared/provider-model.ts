/**
 * What all adapters share: they send a conversation in a form that no provider refuses, learn which parameters a model
 * does not take, drop images for models that cannot see them, translate failures, and end each response with exactly one
 * `finished` or an error.
 */
import type { PictureSize } from '../../../domain/conversation/picture.ts';
import {
  ModelError,
  type Model,
  type ModelEvent,
  type ModelInput,
  type ModelRequest,
  type ModelUsage,
} from '../../model.ts';
import { promptText, type PromptSection } from '../../prompt/prompt-section.ts';
import type { KnownModel } from '../provider.ts';
import { imageTokens } from './image-tokens.ts';
import { refusesImages, refusesThoughts, windowIn } from './learned.ts';
import { withProgress } from './progress.ts';
import { sentInput, SHORT_IDS, wantsShortIds, type WithCalls } from './sent-input.ts';
import {
  NO_TOOLS_WORDS,
  StreamFault,
  toModelError,
  type CallSite,
  type ProviderFault,
  type ProviderSite,
} from './provider-errors.ts';
import { unsupportedParameter, type OptionalParameters } from './unsupported-parameter.ts';

/** A response that has started. `events` need not check for its end or translate failures. */
export type OpenedResponse = { readonly response: Response; readonly events: AsyncIterable<ModelEvent> };

/** A provider's format on the wire. */
export type Wire<Body> = {
  readonly format: string;
  /** Parameters that can be left out for a model that does not know them; anything else it refuses is a failure. */
  readonly optional: OptionalParameters;
  /** Puts calls into the items of this format. */
  readonly withCalls: WithCalls;
  /** Ids of calls that the API takes back where it gave them itself. */
  readonly ownIds: RegExp;
  /** The request without what was `refused`. Its input has been through {@link sentInput}. */
  body(request: ModelRequest, refused: ReadonlySet<string>): Body;
  /** Resolves with the head of the answer; reading `events` reads its body. */
  send(body: Body, signal: AbortSignal): Promise<OpenedResponse>;
  /** A form of messages that the model refuses, where another one is known; null for none. */
  readonly refusedForm?: (fault: ProviderFault, refused: ReadonlySet<string>) => string | null;
  /** Null for an error that is not of the provider's SDK. */
  faultOf(error: unknown): ProviderFault | null;
};

/** One model of a provider. */
export type ProviderModelOptions = KnownModel & { readonly site: ProviderSite };

/** A model that is asked over `wire`. */
export function createProviderModel<Body>(options: ProviderModelOptions, wire: Wire<Body>): Model {
  const { name, site, lessons } = options;
  const self = `${wire.format}/${name}`;
  /** A refusal counts more than settings that say otherwise. */
  const cannotSee = () => lessons.current().isBlind || options.capabilities().images === false;

  /** What to leave out from now on because of this failure; null where that would not help. */
  function lessonOf(fault: ProviderFault, hasImages: boolean, refused: ReadonlySet<string>) {
    if (hasImages && fault.status !== null && fault.status >= 400 && refusesImages(fault.detail)) {
      return { isBlind: true };
    }
    if (!refused.has(SHORT_IDS) && wantsShortIds(fault.detail)) return { refused: [SHORT_IDS] };
    const parameter =
      unsupportedParameter(fault, without(wire.optional, refused)) ??
      wire.refusedForm?.(fault, refused) ??
      null;
    return parameter === null ? null : { refused: [parameter] };
  }

  async function open(request: ModelRequest, signal: AbortSignal): Promise<OpenedResponse> {
    const tools = new Set(request.tools.map((tool) => tool.name));
    let takesItems = true;
    // Ends: each refusal that is learned leaves out something that the next request no longer has.
    for (;;) {
      const refused = new Set(lessons.current().refused);
      const isBlind = cannotSee();
      const hasImages = !isBlind && request.input.some(carriesImages);
      try {
        const plain = request.input.map((each) => plainInput(withItems(each, self, takesItems), isBlind));
        const form = {
          self,
          withCalls: wire.withCalls,
          ownIds: wire.ownIds,
          tools,
          hasShortIds: refused.has(SHORT_IDS),
        };
        const input = sentInput(plain, form);
        return await wire.send(wire.body({ ...request, input }, refused), signal);
      } catch (error) {
        const fault = wire.faultOf(error);
        const lesson = fault && lessonOf(fault, hasImages, refused);
        if (lesson === null) {
          // Keys change, and routes of a gateway: thoughts that cannot be read any more are left out.
          if (takesItems && refusesThoughts(fault) && request.input.some((each) => isOwn(each, self))) {
            takesItems = false;
            continue;
          }
          const contextTokens = fault && windowIn(fault.detail);
          if (contextTokens !== null) lessons.learn({ contextTokens });
          throw error;
        }
        lessons.learn(lesson);
      }
    }
  }

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    if (request.tools.length > 0 && options.capabilities().tools === false) {
      throw new ModelError('NO_TOOLS', `${name} ${NO_TOOLS_WORDS}`, { retryable: false });
    }
    let streaming = false;
    const left = new AbortController();
    try {
      const { response, events } = await open(request, AbortSignal.any([signal, left.signal]));
      await requireStream(response, options);
      streaming = true;
      for await (const event of withProgress(events, response)) {
        signal.throwIfAborted();
        yield event;
        if (event.type === 'finished') return;
      }
    } catch (error) {
      signal.throwIfAborted();
      const call: CallSite = { model: name, streaming, provider: site };
      throw toModelError(error, error instanceof StreamFault ? error.fault : wire.faultOf(error), call);
    } finally {
      // Closes the request of a stream that is left while it waits for bytes.
      left.abort();
    }
    // The SDKs end an aborted stream like a complete one.
    signal.throwIfAborted();
    throw new ModelError('BROKEN_STREAM', `${name} broke off in the middle of its answer`, {
      retryable: true,
    });
  }

  return {
    name,
    provider: self,
    imageTokens(size: PictureSize) {
      return cannotSee() ? 0 : imageTokens(options.capabilities().pictures, size);
    },
    stream,
  };
}

const without = (
  { ofBody, within }: OptionalParameters,
  refused: ReadonlySet<string>,
): OptionalParameters => ({
  ofBody: ofBody.filter((name) => !refused.has(name)),
  within: within.filter((name) => !refused.has(name)),
});

/** A proxy's page or a server that cannot stream would otherwise look like an answer that broke off at once. */
async function requireStream(response: Response, { name, site }: ProviderModelOptions): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (!/^(text\/html|application\/json)/i.test(type)) return;
  await response.body?.cancel();
  const message = `${name} answered with ${type.split(';')[0]} instead of a stream; check that ${site.addressVariable} is the address of a model API`;
  throw new ModelError('PROTOCOL', message, { retryable: false });
}

const isOwn = (input: ModelInput, self: string): boolean => input.type === 'round' && input.provider === self;

/** A round whose items were not kept, or are refused, goes in neutral form, as those of other providers do. */
const withItems = (input: ModelInput, self: string, takesItems: boolean): ModelInput =>
  input.type === 'round' && isOwn(input, self) && (!takesItems || input.items.length === 0)
    ? { ...input, provider: '', items: [] }
    : input;

/** A message with its context in front of it, and without pictures for a model that cannot see them. */
function plainInput(input: ModelInput, isBlind: boolean): ModelInput {
  if (input.type !== 'user') return input;
  const { context = [], images = [] } = input;
  const text = context.length === 0 ? input.text : `${contextHead(context)}\n\nThe message:\n${input.text}`;
  if (images.length === 0) return { type: 'user', text };
  if (!isBlind) return { type: 'user', text, images };
  const note = `(${images.length} attached image(s) left out: this model cannot see images.)`;
  return { type: 'user', text: `${text}\n\n${note}` };
}

const contextHead = (context: readonly PromptSection[]): string =>
  `From the server, for this message and until it says otherwise:\n${promptText(context)}`;

const carriesImages = (input: ModelInput): boolean =>
  input.type === 'user' && (input.images ?? []).length > 0;

/** Null where a server reports that it counted nothing, so that an estimate takes its place. */
export function countedUsage(usage: ModelUsage): ModelUsage | null {
  return usage.inputTokens + usage.outputTokens > 0 ? usage : null;
}
