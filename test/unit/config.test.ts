import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../../src/config/config.ts';

describe('the time zone of the lab', () => {
  test.each(['Asia/Tokyo', 'Europe/Berlin', 'UTC'])('may be %s', (timeZone) => {
    expect(readConfig({ QPILOT_TIME_ZONE: timeZone }).timeZone).toBe(timeZone);
  });

  test('is UTC unless it is set', () => {
    expect([readConfig({}).timeZone, readConfig({ QPILOT_TIME_ZONE: '' }).timeZone]).toEqual(['UTC', 'UTC']);
  });

  test.each(['Tokyo', '+09:00', 'JST-9', 'Europe/Nowhere'])(
    'is refused at the start when it is %s',
    (wrong) => {
      expect(() => readConfig({ QPILOT_TIME_ZONE: wrong })).toThrow(
        `QPILOT_TIME_ZONE="${wrong}": must be an IANA time zone, for example Asia/Tokyo`,
      );
    },
  );
});

describe('the providers of models', () => {
  test('are those that have a key or an address', () => {
    expect(readConfig({}).providers).toMatchObject({ openai: null, anthropic: null, ollama: null });
    const env = { OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b', OLLAMA_BASE_URL: 'http://gpu:11434' };
    expect(readConfig(env).providers).toMatchObject({
      openai: { apiKey: 'a', baseUrl: null, api: 'responses' },
      anthropic: { apiKey: 'b', baseUrl: null },
      ollama: { baseUrl: 'http://gpu:11434' },
    });
  });

  test.each([
    [{ OPENAI_API_KEY: 'a' }, 'responses'],
    [{ OPENAI_BASE_URL: 'http://gpu:8000/v1' }, 'chat'],
    [{ OPENAI_BASE_URL: 'https://api.openai.com/v1', OPENAI_API_KEY: 'a' }, 'responses'],
    [{ OPENAI_BASE_URL: 'http://gpu:8000/v1', OPENAI_API: 'responses' }, 'responses'],
    [{ OPENAI_API_KEY: 'a', OPENAI_API: 'chat' }, 'chat'],
  ])('with %j, OpenAI is spoken to in %s', (env, api) => {
    expect(readConfig(env).providers.openai?.api).toBe(api);
  });

  test('are refused with what would be right, without showing an address', () => {
    expect(() => readConfig({ OPENAI_API: 'grpc' })).toThrow(/OPENAI_API="grpc": .*"responses"\|"chat"/);
    expect(() => readConfig({ OLLAMA_BASE_URL: 'me:secret@gpu' })).toThrow(
      /OLLAMA_BASE_URL: must start with http:/,
    );
    expect(() => readConfig({ ANTHROPIC_BASE_URL: 'http://gateway' })).toThrow(/set that key too/);
  });
});
