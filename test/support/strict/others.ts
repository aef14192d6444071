/**
 * What Anthropic refuses ("Messages", "Tool use", "Extended thinking", "Prompt caching" and the messages of its errors) and
 * what Google refuses ("Generating content", "Schema", "Function calling", "Thought signatures").
 */
import {
  argumentsObject,
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

const ANTHROPIC_FIELDS = [
  'model',
  'messages',
  'max_tokens',
  'stream',
  'system',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'temperature',
  'metadata',
  'stop_sequences',
];
const ANTHROPIC_NAME = [/^[a-zA-Z0-9_-]+$/, 128] as const;
const MOST_MARKS = 4;

export function anthropicRules(body: Json, issued: string): void {
  knownFields(body, ANTHROPIC_FIELDS);
  textAt(body['model'], 'model');
  if (!(Number(body['max_tokens']) >= 1)) refuse('max_tokens: must be at least 1');
  const marks = JSON.stringify(body).split('"cache_control":').length - 1;
  if (marks > MOST_MARKS)
    refuse(`A maximum of ${MOST_MARKS} blocks with cache_control may be provided. Found ${marks}.`);
  anthropicTools(body);
  anthropicThinking(body);
  const messages = listAt(body['messages'], 'messages').map((each, at) => objectAt(each, `messages.${at}`));
  if (messages.length === 0) refuse('messages: at least one message is required');
  if (messages[0]!['role'] !== 'user') refuse('messages: first message must use the "user" role');
  const steps = messages.flatMap((message, at) => {
    if (at > 0 && messages[at - 1]!['role'] === message['role']) {
      refuse(
        `messages: roles must alternate between "user" and "assistant", but found multiple "${said(message['role'])}" roles in a row`,
      );
    }
    return anthropicSteps(message, `messages.${at}`, issued);
  });
  paired(steps);
  trailing(messages.at(-1)!);
}

function anthropicTools(body: Json): void {
  const tools = ((body['tools'] ?? []) as readonly unknown[]).map((tool, at) =>
    objectAt(tool, `tools.${at}`),
  );
  const names = tools.map((tool, index) => {
    const at = `tools.${index}`;
    knownFields(tool, ['name', 'description', 'input_schema', 'cache_control', 'strict', 'type'], at);
    const schema = objectAt(tool['input_schema'], `${at}.input_schema`);
    if (schema['type'] !== 'object') refuse(`${at}.input_schema.type: Input should be 'object'`);
    if (['oneOf', 'allOf', 'anyOf'].some((key) => key in schema)) {
      refuse(`${at}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`);
    }
    for (const key of Object.keys((schema['properties'] ?? {}) as Json)) {
      if (!/^[a-zA-Z0-9_.-]{1,64}$/.test(key))
        refuse(`${at}.input_schema.properties: Property keys should match pattern`);
    }
    return matching(tool['name'], ...ANTHROPIC_NAME, `${at}.name`);
  });
  distinct(names, 'tools');
  const choice = body['tool_choice'];
  if (choice === undefined) return;
  if (tools.length === 0) refuse('tool_choice: may only be specified while providing tools');
  if (isObject(choice) && choice['type'] === 'tool' && !names.includes(said(choice['name']))) {
    refuse(`tool_choice: tool '${said(choice['name'])}' not found in provided tools`);
  }
}

/** "When using thinking": a budget below the bound, no forced tool, and rounds that begin with thoughts. */
function anthropicThinking(body: Json): void {
  const thinking = body['thinking'];
  if (!isObject(thinking)) return;
  const choice = body['tool_choice'];
  if (isObject(choice) && ['any', 'tool'].includes(said(choice['type']))) {
    refuse('Thinking may not be enabled when tool_choice forces tool use.');
  }
  if (body['temperature'] !== undefined && body['temperature'] !== 1) {
    refuse('`temperature` may only be set to 1 when thinking is enabled');
  }
  if (thinking['type'] !== 'enabled') return;
  const budget = Number(thinking['budget_tokens']);
  if (!(budget >= 1_024))
    refuse('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024');
  if (budget >= Number(body['max_tokens']))
    refuse('`max_tokens` must be greater than `thinking.budget_tokens`');
  const messages = body['messages'] as readonly Json[];
  const asked = messages.findLastIndex(
    ({ role, content }) => role === 'user' && !typesOf(content).includes('tool_result'),
  );
  for (const { role, content } of messages.slice(asked + 1)) {
    const [first] = typesOf(content);
    if (role === 'assistant' && first !== 'thinking' && first !== 'redacted_thinking') {
      refuse(`Expected \`thinking\` or \`redacted_thinking\`, but found \`${said(first)}\`.`);
    }
  }
}

const typesOf = (content: unknown): readonly unknown[] =>
  Array.isArray(content) ? content.map((block) => (block as Json)['type']) : [];

function anthropicSteps(message: Json, at: string, issued: string): readonly Step[] {
  knownFields(message, ['role', 'content'], at);
  const { role } = message;
  if (role !== 'user' && role !== 'assistant') refuse(`${at}.role: Input should be 'user' or 'assistant'`);
  const blocks = listAt(message['content'], `${at}.content`).map((each, n) =>
    objectAt(each, `${at}.content.${n}`),
  );
  if (blocks.length === 0) refuse(`${at}: all messages must have non-empty content`);
  const types = typesOf(blocks);
  const lastThought = types.findLastIndex((type) => type === 'thinking' || type === 'redacted_thinking');
  if (role === 'user' && lastThought >= 0) refuse(`${at}: thinking blocks may only be in assistant messages`);
  const firstOther = types.findIndex((type) => type === 'text' && role === 'user');
  const lastResult = types.lastIndexOf('tool_result');
  if (firstOther >= 0 && lastResult > firstOther) {
    refuse(`${at}: tool_result blocks must come before other content of their message`);
  }
  const steps = blocks.flatMap((block, n) => anthropicStep(block, said(role), `${at}.content.${n}`, issued));
  // All results of a message answer the message before it, which ends with its calls.
  return steps;
}

function anthropicStep(block: Json, role: string, at: string, issued: string): readonly Step[] {
  switch (block['type']) {
    case 'text':
      knownFields(block, ['type', 'text', 'cache_control', 'citations'], at);
      if (textAt(block['text'], at).trim() === '')
        refuse(`${at}.text: text content blocks must contain non-whitespace text`);
      // Words behind calls stay in the message of the calls.
      return role === 'user' ? [{ is: 'words', at }] : [];
    case 'image':
      return role === 'user' ? [{ is: 'words', at }] : refuse(`${at}: images may only be in user messages`);
    case 'thinking':
      knownFields(block, ['type', 'thinking', 'signature'], at);
      if (textAt(block['signature'], `${at}.signature`) === '')
        refuse(`${at}: Invalid \`signature\` in \`thinking\` block`);
      return [];
    case 'redacted_thinking':
      textAt(block['data'], `${at}.data`);
      return [];
    case 'tool_use': {
      if (role !== 'assistant') refuse(`${at}: \`tool_use\` blocks can only be in assistant messages`);
      knownFields(block, ['type', 'id', 'name', 'input', 'cache_control', 'caller'], at);
      argumentsObject(block['input'], `${at}.tool_use.input`);
      const name = matching(block['name'], ...ANTHROPIC_NAME, `${at}.tool_use.name`);
      return [
        { is: 'call', id: matching(block['id'], /^[a-zA-Z0-9_-]+$/, 64, `${at}.tool_use.id`), name, at },
      ];
    }
    case 'tool_result':
      if (role !== 'user') refuse(`${at}: \`tool_result\` blocks can only be in user messages`);
      knownFields(block, ['type', 'tool_use_id', 'content', 'is_error', 'cache_control'], at);
      return [{ is: 'output', id: textAt(block['tool_use_id'], at), at }];
    default:
      if (!issued.includes(`"type":"${said(block['type'])}"`)) {
        refuse(
          `${at}: Input tag '${said(block['type'])}' found using 'type' does not match any of the expected tags`,
        );
      }
      return [];
  }
}

/** A last message of the assistant is one that goes on. */
function trailing({ role, content }: Json): void {
  const last = (content as readonly Json[]).at(-1);
  if (role === 'assistant' && last?.['type'] === 'text' && /\s$/.test(said(last['text']))) {
    refuse('messages: final assistant content cannot end with trailing whitespace');
  }
}

const GEMINI_FIELDS = [
  'systemInstruction',
  'contents',
  'tools',
  'toolConfig',
  'generationConfig',
  'safetySettings',
  'cachedContent',
];
/** "Must start with a letter or an underscore. Must be a-z, A-Z, 0-9, or contain underscores, dots and dashes, max 64." */
const GEMINI_NAME = [/^[a-zA-Z_][a-zA-Z0-9_.-]*$/, 64] as const;
const MOST_DECLARATIONS = 512;

export function geminiRules(body: Json, issued: string, model: string): void {
  knownFields(body, GEMINI_FIELDS);
  geminiTools(body);
  geminiConfig(body, model);
  const contents = listAt(body['contents'], 'contents').map((each, at) => objectAt(each, `contents[${at}]`));
  if (contents.length === 0) refuse('GenerateContentRequest.contents: contents is not specified');
  if (contents[0]!['role'] !== 'user') {
    refuse(
      'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
    );
  }
  const steps = contents.flatMap((content, at) => {
    knownFields(content, ['role', 'parts'], `contents[${at}]`);
    if (content['role'] !== 'user' && content['role'] !== 'model')
      refuse('Please use a valid role: user, model.');
    if (at > 0 && contents[at - 1]!['role'] === content['role'])
      refuse(`contents[${at}]: roles must alternate.`);
    const parts = listAt(content['parts'], `contents[${at}].parts`);
    if (parts.length === 0) refuse(`contents[${at}].parts: contents.parts must not be empty.`);
    return parts.flatMap((part, n) =>
      geminiStep(objectAt(part, ''), said(content['role']), `contents[${at}].parts[${n}]`, issued),
    );
  });
  paired(steps);
  if (!/gemini-[12]/.test(model)) signed(contents);
}

const SCHEMA_FIELDS = [
  'type',
  'format',
  'title',
  'description',
  'nullable',
  'enum',
  'items',
  'minItems',
  'maxItems',
  'properties',
  'required',
  'minProperties',
  'maxProperties',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'pattern',
  'example',
  'anyOf',
  'propertyOrdering',
  'default',
];

function geminiTools(body: Json): void {
  const tools = (body['tools'] ?? []) as readonly Json[];
  const declared = tools.flatMap((tool) => tool['functionDeclarations'] as readonly Json[]);
  if (declared.length > MOST_DECLARATIONS)
    refuse(`at most ${MOST_DECLARATIONS} function declarations are supported`);
  const names = declared.map((tool, n) => {
    const at = `tools[0].function_declarations[${n}]`;
    knownFields(tool, ['name', 'description', 'parameters', 'parametersJsonSchema'], at);
    textAt(tool['description'], `${at}.description`);
    if ('parameters' in tool && 'parametersJsonSchema' in tool)
      refuse(`${at}: parameters and parameters_json_schema are mutually exclusive`);
    const whole = tool['parametersJsonSchema'];
    if (whole !== undefined && objectAt(whole, at)['type'] !== 'object')
      refuse(`${at}: the schema must describe an object`);
    if (tool['parameters'] !== undefined) geminiSchemaRules(tool['parameters'], `${at}.parameters`);
    return matching(tool['name'], ...GEMINI_NAME, `${at}.name`);
  });
  distinct(names, 'tools[0].function_declarations');
}

function geminiSchemaRules(given: unknown, at: string): void {
  const schema = objectAt(given, at);
  for (const key of Object.keys(schema)) {
    if (!SCHEMA_FIELDS.includes(key))
      refuse(`Invalid JSON payload received. Unknown name "${key}" at '${at}': Cannot find field.`);
  }
  const { type, properties, items, required = [], enum: choices, anyOf = [] } = schema;
  if (type !== undefined && typeof type !== 'string')
    refuse(`Proto field is not repeating, cannot start list at '${at}.type'.`);
  if (type === undefined && !('anyOf' in schema)) refuse(`${at}: schema must specify a type or anyOf.`);
  if (type === 'object') {
    if (!isObject(properties) || Object.keys(properties).length === 0) {
      refuse(`${at}.properties: should be non-empty for OBJECT type`);
    }
    for (const [name, each] of Object.entries(properties))
      geminiSchemaRules(each, `${at}.properties[${name}]`);
    for (const name of required as readonly string[]) {
      if (!(name in properties)) refuse(`${at}.required[${name}]: property is not defined`);
    }
  }
  if (type === 'array') {
    if (items === undefined) refuse(`${at}.items: missing field.`);
    geminiSchemaRules(items, `${at}.items`);
  }
  if (choices !== undefined && type !== 'string') refuse(`${at}.enum: only allowed for STRING type`);
  if (((choices ?? []) as readonly unknown[]).some((choice) => choice === ''))
    refuse(`${at}.enum: cannot be empty`);
  (anyOf as readonly unknown[]).forEach((each, n) => geminiSchemaRules(each, `${at}.any_of[${n}]`));
}

function geminiConfig(body: Json, model: string): void {
  const config = objectAt(body['generationConfig'] ?? {}, 'generation_config');
  knownFields(
    config,
    [
      'maxOutputTokens',
      'temperature',
      'topP',
      'topK',
      'stopSequences',
      'thinkingConfig',
      'responseMimeType',
      'responseSchema',
      'responseJsonSchema',
      'candidateCount',
    ],
    'generation_config',
  );
  const thinking = (config['thinkingConfig'] ?? {}) as Json;
  if ('thinkingLevel' in thinking && 'thinkingBudget' in thinking)
    refuse('You can only set only one of thinking budget and thinking level.');
  if ('thinkingLevel' in thinking && /gemini-2/.test(model))
    refuse('Thinking level is not supported for this model.');
  if (config['responseSchema'] !== undefined) {
    if (config['responseMimeType'] !== 'application/json')
      refuse('response_schema wants response_mime_type application/json');
    if (body['tools'] !== undefined)
      refuse("Function calling with a response mime type: 'application/json' is unsupported");
    geminiSchemaRules(config['responseSchema'], 'generation_config.response_schema');
  }
}

function geminiStep(part: Json, role: string, at: string, issued: string): readonly Step[] {
  const {
    text,
    functionCall,
    functionResponse,
    inlineData,
    thought: _thought,
    thoughtSignature: _signature,
    ...other
  } = part;
  for (const key of Object.keys(other)) {
    if (!issued.includes(`"${key}"`))
      refuse(`Invalid JSON payload received. Unknown name "${key}" at '${at}': Cannot find field.`);
  }
  const kinds = [text, functionCall, functionResponse, inlineData].filter((each) => each !== undefined);
  if (kinds.length + Object.keys(other).length !== 1)
    refuse(`${at}: required oneof field 'data' must have one initialized field`);
  if (isObject(functionCall)) {
    if (role !== 'model') refuse(`${at}: function calls are parts of the model`);
    const name = matching(functionCall['name'], ...GEMINI_NAME, `${at}.function_call.name`);
    argumentsObject(functionCall['args'] ?? {}, `${at}.function_call.args`);
    return [{ is: 'call', id: (functionCall['id'] as string | undefined) ?? null, name, at }];
  }
  if (isObject(functionResponse)) {
    if (role !== 'user') refuse(`${at}: function responses are parts of the user`);
    objectAt(functionResponse['response'], `${at}.function_response.response`);
    const name = matching(functionResponse['name'], ...GEMINI_NAME, `${at}.function_response.name`);
    return [{ is: 'output', id: (functionResponse['id'] as string | undefined) ?? null, name, at }];
  }
  // Words beside calls stay in their message.
  return role === 'user' ? [{ is: 'words', at }] : [];
}

/** From Gemini 3 on, the first call of each round of the current turn has the signature of the thoughts before it. */
function signed(contents: readonly Json[]): void {
  const hasResponse = ({ parts }: Json) =>
    (parts as readonly Json[]).some((part) => 'functionResponse' in part);
  const asked = contents.findLastIndex((content) => content['role'] === 'user' && !hasResponse(content));
  contents.slice(asked + 1).forEach(({ parts }, at) => {
    const call = (parts as readonly Json[]).find((part) => 'functionCall' in part);
    if (call === undefined || typeof call['thoughtSignature'] === 'string') return;
    const { name } = call['functionCall'] as Json;
    refuse(
      `Function call is missing a thought_signature in functionCall parts: ${said(name)}, position ${asked + 1 + at}.`,
    );
  });
}
