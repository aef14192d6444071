/** What refusals of real servers name, and what only sounds like it. */
import { describe, expect, test } from '@jest/globals';
import type { ProviderFault } from '../../../src/agent/models/shared/provider-errors.ts';
import { unsupportedParameter } from '../../../src/agent/models/shared/unsupported-parameter.ts';

const OPTIONAL = {
  ofBody: ['text', 'include', 'store', 'parallel_tool_calls'],
  within: ['strict', 'reasoning', 'cache_control'],
};
const refused = (detail: string, param: string | null = null): ProviderFault => ({
  isConnection: false,
  status: 400,
  names: [],
  param,
  detail,
  pauseMs: null,
  failedCall: null,
});

describe('a refusal names', () => {
  test.each([
    ['text', 'text.format', "Invalid parameter: 'text.format' of type 'json_schema' is not supported."],
    ['include', 'include', 'Encrypted content is not supported with this model.'],
    ['strict', 'tools[0].strict', "Unknown parameter: 'tools[0].strict'."],
    ['cache_control', 'tools.0.cache_control', 'tools.0.cache_control: Extra inputs are not permitted'],
    ['parallel_tool_calls', null, 'This model does not support parallel_tool_calls'],
    ['parallel_tool_calls', 'None', "does not support parameters: ['parallel_tool_calls'], for model=m"],
    ['text', null, "Unsupported parameter: 'text.format'. Try again without."],
    ['text', null, 'Unrecognized request argument supplied: text'],
    ['store', null, 'unknown field `store`, expected one of `model`, `input`'],
    ['store', null, 'json: unknown field "store"'],
    [
      'store',
      null,
      '[{"type":"extra_forbidden","loc":["body","store"],"msg":"Extra inputs are not permitted"}]',
    ],
    ['include', null, 'body -> include\n  extra fields not permitted'],
    ['store', null, 'store: Extra inputs are not permitted'],
    ['reasoning', null, "Unrecognized request argument supplied: 'messages[2].reasoning'"],
    ['strict', null, '[{"type":"extra_forbidden","loc":["body","tools",0,"function","strict"],"msg":"no"}]'],
    ['store', null, "Unknown parameters: 'store', 'include'."],
    [
      'strict',
      'tools[3].function.parameters',
      "Invalid schema for function 'propose_job': In context=('properties', 'description'), 'maxLength' is not permitted.",
    ],
  ])('%s by %j and %j', (name, param, detail) => {
    expect(unsupportedParameter(refused(detail, param), OPTIONAL)).toBe(name);
  });
});

describe('a refusal names nothing that could be left out', () => {
  test.each([
    ['input[0].content[0].text', 'Unsupported value in the text of the message.'],
    [null, 'This model is not supported for text generation.'],
    [null, 'Content of type text is not supported.'],
    [null, "Content type 'text' is not supported; supported types include 'input_text'."],
    [null, 'Unsupported region: this server does not store data there.'],
    [null, 'Audio input is not supported; please include only text.'],
    [null, 'This model does not support reasoning with tools.'],
    [null, 'Unknown parameter: context'],
    ['input', 'The parameter text is too long.'],
  ])('by %j and %j', (param, detail) => {
    expect(unsupportedParameter(refused(detail, param), OPTIONAL)).toBeNull();
  });

  test('when it is no refusal of the request at all', () => {
    const fault = { ...refused("Unsupported parameter: 'text'", 'text'), status: 429 };
    expect(unsupportedParameter(fault, OPTIONAL)).toBeNull();
  });
});
