/**
 * What OpenAI's APIs refuse, after "API reference: Responses" and "Chat", the guides "Function calling", "Structured
 * outputs" and "Reasoning models", and the messages of its errors; then what Mistral adds ("Chat completion API",
 * mistral-common's request validator) and what Ollama's API takes ("API: chat").
 */
import {
  argumentsObject,
  argumentsText,
  distinct,
  isObject,
  knownFields,
  listAt,
  matching,
  objectAt,
  paired,
  refuse,
  said,
  textAt,
  type Json,
  type Step,
} from './refused.ts';

/** "Must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64." */
const NAME = [/^[a-zA-Z0-9_-]+$/, 64] as const;
/** Ids of items are letters, figures, underscores and dashes; those of calls are any text of 64 characters, 40 in Chat. */
const ITEM_ID = /^[a-zA-Z0-9_-]+$/;
const ID = /^\P{Cc}+$/u;
const MOST_TOOLS = 128;

const isThinker = (model: string): boolean => /^(?:o\d|gpt-5(?!.*chat))/.test(model);
const isPlain = (model: string): boolean => /^(?:gpt-3|gpt-4|chatgpt)/.test(model);

function unsupported(param: string): never {
  refuse(`Unsupported parameter: '${param}' is not supported with this model.`, {
    param,
    code: 'unsupported_parameter',
  });
}

/** Parameters that differ between models: reasoning models take no temperature, others no reasoning. */
function ofFamily(model: string, body: Json): void {
  if (isThinker(model)) {
    for (const param of ['temperature', 'top_p', 'max_tokens']) if (param in body) unsupported(param);
  }
  if (isPlain(model)) {
    for (const param of ['reasoning', 'reasoning_effort']) if (param in body) unsupported(param);
    const include = (body['include'] ?? []) as readonly unknown[];
    if (include.includes('reasoning.encrypted_content')) {
      refuse('Encrypted content is not supported with this model.', { param: 'include' });
    }
  }
  const { temperature } = body;
  if (
    temperature !== undefined &&
    !(typeof temperature === 'number' && temperature >= 0 && temperature <= 2)
  ) {
    refuse(`Invalid 'temperature': expected a number from 0 to 2.`, { param: 'temperature' });
  }
}

function cacheKey(body: Json): void {
  if (body['prompt_cache_key'] !== undefined)
    matching(body['prompt_cache_key'], /^[^]+$/, 64, 'prompt_cache_key');
}

/** Keywords that strict mode does not know ("Structured outputs", Supported schemas). */
const NOT_STRICT = [
  'allOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
  'uniqueItems',
  'default',
];

/** A strict schema: all properties required, none additional, ten levels, no keyword that is not known. */
export function strictSchema(schema: unknown, tool: string, at: string, level = 0): void {
  const node = objectAt(schema, at);
  const wrong = (why: string): never =>
    refuse(`Invalid schema for function '${tool}': In context=${at}, ${why}.`, {
      param: at,
      code: 'invalid_function_parameters',
    });
  if (level > 10) wrong('it is nested more than 10 levels deep');
  const keyword = NOT_STRICT.find((key) => key in node);
  if (keyword !== undefined) wrong(`'${keyword}' is not permitted`);
  const types = [node['type']].flat();
  if (types.includes('object')) {
    const names = Object.keys(objectAt(node['properties'], `${at}.properties`));
    if (node['additionalProperties'] !== false)
      wrong(`'additionalProperties' is required to be supplied and to be false`);
    const required = node['required'];
    if (
      !Array.isArray(required) ||
      names.some((name) => !required.includes(name)) ||
      required.length !== names.length
    ) {
      wrong(`'required' is required to be supplied and to be an array including every key in properties`);
    }
    for (const name of names) {
      strictSchema((node['properties'] as Json)[name], tool, `${at}.properties.${name}`, level + 1);
    }
  }
  if (types.includes('array')) strictSchema(node['items'], tool, `${at}.items`, level + 1);
  if ('type' in node || 'anyOf' in node || 'enum' in node || 'const' in node || '$ref' in node) {
    ((node['anyOf'] ?? []) as readonly unknown[]).forEach((each, index) =>
      strictSchema(each, tool, `${at}.anyOf.${index}`, level),
    );
  } else wrong(`schema must have a 'type' key`);
}

function functionTool(tool: Json, at: string): string {
  const name = matching(tool['name'], ...NAME, `${at}.name`);
  if (tool['description'] !== undefined) matching(tool['description'], /^[^]*$/, 4_096, `${at}.description`);
  const parameters = objectAt(tool['parameters'], `${at}.parameters`);
  if (parameters['type'] !== 'object') {
    refuse(`Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"'.`, {
      param: `${at}.parameters`,
    });
  }
  if (tool['strict'] === true) strictSchema(parameters, name, '()');
  return name;
}

function toolList(body: Json, one: (tool: Json, at: string) => string): readonly string[] {
  if (body['tools'] === undefined) {
    if (body['tool_choice'] !== undefined)
      refuse(`'tool_choice' is only allowed when 'tools' are specified.`);
    if (body['parallel_tool_calls'] !== undefined) {
      refuse(`'parallel_tool_calls' is only allowed when 'tools' are specified.`);
    }
    return [];
  }
  const tools = listAt(body['tools'], 'tools');
  if (tools.length === 0 || tools.length > MOST_TOOLS) {
    refuse(`Invalid 'tools': expected 1 to ${MOST_TOOLS} of them, but got ${tools.length}.`, {
      param: 'tools',
    });
  }
  const names = tools.map((tool, index) => one(objectAt(tool, `tools[${index}]`), `tools[${index}]`));
  distinct(names, 'tools');
  return names;
}

function chosenTool(choice: unknown, name: unknown, names: readonly string[]): void {
  if (choice === undefined || ['auto', 'none', 'required'].includes(choice as string)) return;
  if (!names.includes(name as string)) {
    refuse(`Tool choice '${said(name)}' not found in 'tools' parameter.`, { param: 'tool_choice' });
  }
}

const RESPONSES_FIELDS = [
  'model',
  'input',
  'instructions',
  'stream',
  'store',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'text',
  'include',
  'max_output_tokens',
  'prompt_cache_key',
  'temperature',
  'top_p',
  'reasoning',
  'metadata',
  'truncation',
  'service_tier',
];

/** `issued` is what the server has answered so far: it takes back items of kinds that it issued itself. */
export function responsesRules(body: Json, issued: string): void {
  knownFields(body, RESPONSES_FIELDS);
  const model = textAt(body['model'], 'model');
  ofFamily(model, body);
  cacheKey(body);
  const names = toolList(body, (tool, at) => {
    knownFields(tool, ['type', 'name', 'description', 'parameters', 'strict'], at);
    return functionTool(tool, at);
  });
  chosenTool(body['tool_choice'], isObject(body['tool_choice']) && body['tool_choice']['name'], names);
  const most = body['max_output_tokens'];
  if (most !== undefined && !(Number(most) >= 16)) refuse(`Invalid 'max_output_tokens': at least 16.`);
  const items = listAt(body['input'], 'input').map((item, index) => objectAt(item, `input[${index}]`));
  paired(items.flatMap((item, index) => responsesSteps(item, `input[${index}]`, items[index + 1], issued)));
  const ids = items.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined)
    refuse(`Duplicate item found with id ${twice}. Remove duplicate items and try again.`);
}

function responsesSteps(item: Json, at: string, next: Json | undefined, issued: string): readonly Step[] {
  const type = item['type'] ?? 'message';
  if (item['id'] !== undefined) matching(item['id'], ITEM_ID, 64, `${at}.id`);
  switch (type) {
    case 'message':
      knownFields(item, ['type', 'id', 'role', 'content', 'status', 'phase'], at);
      if (!['user', 'assistant', 'system', 'developer'].includes(item['role'] as string)) {
        refuse(`Invalid value: '${said(item['role'])}'.`, { param: `${at}.role` });
      }
      contentOf(item, at);
      // Words of the model may stand behind the calls of the same response.
      return item['role'] === 'assistant' ? [] : [{ is: 'words', at }];
    case 'reasoning':
      return reasoningSteps(item, at, next);
    case 'function_call': {
      knownFields(item, ['type', 'id', 'call_id', 'name', 'arguments', 'status', 'namespace', 'caller'], at);
      const id = matching(item['call_id'], ID, 64, `${at}.call_id`);
      const name = matching(item['name'], ...NAME, `${at}.name`);
      argumentsText(item['arguments'], `${at}.arguments`);
      return [{ is: 'call', id, name, at }];
    }
    case 'function_call_output':
      knownFields(item, ['type', 'id', 'call_id', 'output', 'status'], at);
      textAt(item['output'], `${at}.output`);
      return [{ is: 'output', id: matching(item['call_id'], ID, 64, `${at}.call_id`), at }];
    default:
      if (!issued.includes(`"type":"${said(type)}"`))
        refuse(`Invalid value: '${said(type)}'.`, { param: at });
      return [];
  }
}

/** Nothing is kept with `store: false`, so a thought comes back whole, and before the item that it led to. */
function reasoningSteps(item: Json, at: string, next: Json | undefined): readonly Step[] {
  knownFields(item, ['type', 'id', 'summary', 'content', 'encrypted_content', 'status'], at);
  listAt(item['summary'], `${at}.summary`);
  const hasContent = Array.isArray(item['content']) && item['content'].length > 0;
  if (typeof item['encrypted_content'] !== 'string' && !hasContent) {
    refuse(
      `Item with id '${said(item['id'])}' not found. Items are not persisted when \`store\` is set to false.`,
      {
        status: 404,
      },
    );
  }
  const isFollowed = next !== undefined && next['role'] !== 'user' && next['type'] !== 'function_call_output';
  if (!isFollowed) {
    refuse(
      `Item '${said(item['id'])}' of type 'reasoning' was provided without its required following item.`,
    );
  }
  return [];
}

const PART_TYPES = ['input_text', 'input_image', 'input_file', 'output_text', 'refusal'];

function contentOf(item: Json, at: string): void {
  if (typeof item['content'] === 'string') return;
  const parts = listAt(item['content'], `${at}.content`);
  parts.forEach((part, index) => {
    const { type } = objectAt(part, `${at}.content[${index}]`);
    if (!PART_TYPES.includes(type as string)) refuse(`Invalid value: '${said(type)}'.`, { param: at });
  });
}

const CHAT_FIELDS = [
  'model',
  'messages',
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'prompt_cache_key',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'reasoning_effort',
  'store',
  'metadata',
];

/** Thoughts are fields of other servers that speak this API. */
const MESSAGE_FIELDS = [
  'role',
  'content',
  'name',
  'refusal',
  'tool_calls',
  'tool_call_id',
  'reasoning_content',
  'reasoning',
  'thinking',
  'reasoning_details',
];

export function chatRules(body: Json, issued: string): void {
  knownFields(body, CHAT_FIELDS);
  const model = textAt(body['model'], 'model');
  ofFamily(model, body);
  cacheKey(body);
  const names = toolList(body, (tool, at) => {
    knownFields(tool, ['type', 'function'], at);
    const called = objectAt(tool['function'], `${at}.function`);
    knownFields(called, ['name', 'description', 'parameters', 'strict'], `${at}.function`);
    return functionTool(called, `${at}.function`);
  });
  const choice = body['tool_choice'];
  chosenTool(choice, isObject(choice) && isObject(choice['function']) && choice['function']['name'], names);
  const messages = messagesIn(body);
  if (messages.length === 0) refuse(`Invalid 'messages': empty array.`, { param: 'messages' });
  paired(messages.flatMap((message, index) => chatSteps(message, `messages[${index}]`, issued)));
}

const messagesIn = (body: Json): readonly Json[] =>
  listAt(body['messages'], 'messages').map((message, index) => objectAt(message, `messages[${index}]`));

function chatSteps(message: Json, at: string, issued: string): readonly Step[] {
  knownFields(message, MESSAGE_FIELDS, at);
  const { role, content, tool_calls: calls } = message;
  if (!['system', 'developer', 'user', 'assistant', 'tool'].includes(role as string)) {
    refuse(`Invalid value: '${said(role)}'.`, { param: `${at}.role` });
  }
  if (typeof content !== 'string' && !Array.isArray(content) && calls === undefined) {
    refuse(`Invalid value for 'content': expected a string, got null.`, { param: `${at}.content` });
  }
  if (role === 'tool') {
    textAt(content, `${at}.content`);
    return [{ is: 'output', id: matching(message['tool_call_id'], ID, 40, `${at}.tool_call_id`), at }];
  }
  if (calls === undefined) return [{ is: 'words', at }];
  const list = listAt(calls, `${at}.tool_calls`);
  if (list.length === 0) refuse(`[] is too short - '${at}.tool_calls'`, { param: `${at}.tool_calls` });
  return [
    { is: 'words', at },
    ...list.map((call, index) => chatCall(call, `${at}.tool_calls[${index}]`, issued)),
  ];
}

/** Gateways add fields to a call (Google's signatures in `extra_content`) and want them back. */
function chatCall(call: unknown, at: string, issued: string): Step {
  const { id, type, function: called, ...extra } = objectAt(call, at);
  for (const key of Object.keys(extra)) {
    if (key !== 'index' && !issued.includes(`"${key}"`))
      refuse(`Unknown parameter: '${at}.${key}'.`, { param: at });
  }
  if (type !== 'function') refuse(`Invalid value: '${said(type)}'.`, { param: `${at}.type` });
  const given = objectAt(called, `${at}.function`);
  knownFields(given, ['name', 'arguments'], `${at}.function`);
  const name = matching(given['name'], ...NAME, `${at}.function.name`);
  argumentsText(given['arguments'], `${at}.function.arguments`);
  return { is: 'call', id: matching(id, ID, 40, `${at}.id`), name, at };
}

/** Which message may follow which; an end with an answer is refused, too. */
const MISTRAL_AFTER: Readonly<Record<string, readonly string[]>> = {
  system: ['user', 'assistant', 'system'],
  user: ['assistant', 'user', 'system'],
  assistant: ['user', 'tool'],
  tool: ['assistant', 'tool'],
};

/** What Mistral refuses beyond {@link chatRules}. Its parameters are tried one by one and are not checked. */
export function mistralRules(body: Json): void {
  const messages = messagesIn(body);
  const order = { code: '3230' };
  messages.forEach((message, index) => {
    const before = said(messages[index - 1]?.['role'] ?? 'system');
    const role = said(message['role']);
    if (!MISTRAL_AFTER[before]?.includes(role))
      refuse(`Unexpected role '${role}' after role '${before}'`, order);
    const calls = (message['tool_calls'] ?? []) as readonly Json[];
    if (role === 'assistant' && calls.length === 0 && (message['content'] ?? '') === '') {
      refuse('Assistant message must have either content or tool_calls, but not none.', { code: '3240' });
    }
    for (const id of [
      ...calls.map((call) => call['id']),
      ...(role === 'tool' ? [message['tool_call_id']] : []),
    ]) {
      if (!/^[a-zA-Z0-9]{9}$/.test(said(id))) {
        refuse(`Tool call id was ${said(id)} but must be a-z, A-Z, 0-9, with a length of 9.`, {
          code: '3280',
        });
      }
    }
  });
  const last = said(messages.at(-1)?.['role']);
  if (last !== 'user' && last !== 'tool') {
    refuse(
      `Expected last role User or Tool (or Assistant with prefix True) for serving but got ${last}`,
      order,
    );
  }
}

const OLLAMA_FIELDS = ['model', 'messages', 'stream', 'tools', 'format', 'options', 'think', 'keep_alive'];

/** Its cloud hands names on to other APIs, so that what those take holds here, too. */
export function ollamaRules(body: Json): void {
  knownFields(body, OLLAMA_FIELDS);
  textAt(body['model'], 'model');
  const tools = ((body['tools'] ?? []) as readonly unknown[]).map((tool, index) => {
    const at = `tools[${index}]`;
    const called = objectAt(objectAt(tool, at)['function'], at);
    knownFields(called, ['name', 'description', 'parameters'], at);
    return functionTool(called, at);
  });
  distinct(tools, 'tools');
  paired(messagesIn(body).flatMap((message, index) => ollamaSteps(message, `messages[${index}]`)));
}

function ollamaSteps(message: Json, at: string): readonly Step[] {
  knownFields(
    message,
    ['role', 'content', 'thinking', 'images', 'tool_calls', 'tool_name', 'tool_call_id'],
    at,
  );
  const { role, content } = message;
  textAt(content, `${at}.content`);
  if (!['system', 'user', 'assistant', 'tool'].includes(role as string)) refuse(`unknown role ${said(role)}`);
  if (role === 'tool') {
    const id = message['tool_call_id'];
    return [
      { is: 'output', id: (id as string | undefined) ?? null, name: textAt(message['tool_name'], at), at },
    ];
  }
  const calls = ((message['tool_calls'] ?? []) as readonly unknown[]).map((call, index): Step => {
    const place = `${at}.tool_calls[${index}]`;
    const { id, function: called } = objectAt(call, place);
    const given = objectAt(called, place);
    argumentsObject(given['arguments'] ?? {}, `${place}.function.arguments`);
    const name = matching(given['name'], ...NAME, `${place}.function.name`);
    return { is: 'call', id: id === undefined ? null : matching(id, ID, 64, `${place}.id`), name, at: place };
  });
  return [{ is: 'words', at }, ...calls];
}
