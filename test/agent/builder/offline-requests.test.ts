import { describe, expect, test } from '@jest/globals';
import { readRequests } from '../../../src/builder/offline/requests.ts';

const setLlm = (set: object) => ({
  tool: 'update_config',
  args: { llm: { model: null, temperature: null, reasoning_level: null, ...set }, tools: null, clear: null },
});
const setTools = (category: string, tools: unknown = []) => ({
  tool: 'update_config',
  args: { llm: null, tools: [{ category, tools }], clear: null },
});
const edit = (oldText: string, newText: string) => ({
  tool: 'edit_instructions',
  args: { old_text: oldText, new_text: newText },
});
const section = (title: string) => ({
  tool: 'insert_instructions',
  args: { content: `\n## ${title}\n`, line: null },
});
const described = (content: string) => ({ tool: 'update_description', args: { content } });

describe('the offline builder', () => {
  test.each([
    ['Set temperature to 0.2', [setLlm({ temperature: 0.2 })]],
    ['please set the temperature to 1.', [setLlm({ temperature: 1 })]],
    ['温度を0.2にして', [setLlm({ temperature: 0.2 })]],
    ['Use model gpt-4.1-mini.', [setLlm({ model: 'gpt-4.1-mini' })]],
    ['モデルをclaude-haiku-4-5に変更してください。', [setLlm({ model: 'claude-haiku-4-5' })]],
    ['Set reasoning to high', [setLlm({ reasoning_level: 'high' })]],
    ['turn reasoning off', [setLlm({ reasoning_level: 'none' })]],
    ['推論レベルを低にして', [setLlm({ reasoning_level: 'low' })]],
    ['Describe it as Drift of T1 on demo-64.', [described('Drift of T1 on demo-64')]],
    ['Set the description to "Weekly report"', [described('Weekly report')]],
    ['説明を「T1の変動」に変更して', [described('T1の変動')]],
    ['Add a section about outliers', [section('Outliers')]],
    ['外れ値についての節を追加して', [section('外れ値')]],
    ['Replace "T1" with "T2 echo"', [edit('T1', 'T2 echo')]],
    ['replace every day with once a week.', [edit('every day', 'once a week')]],
    ['「毎日」を「毎週」に置き換えて', [edit('毎日', '毎週')]],
    ['remove "Be brief."', [edit('Be brief.', '')]],
    ['「短く。」を削除して', [edit('短く。', '')]],
    ['Switch off web research', [setTools('research')]],
    ['disable the notes tools', [setTools('notes')]],
    ['ウェブ検索をオフにして', [setTools('research')]],
    ['Switch on notes', [setTools('notes', ['get_calibration_notes'])]],
  ])('reads “%s”', (message, calls) => {
    expect(readRequests(message).calls).toEqual(calls);
  });

  test('reads several requests of one message in their order', () => {
    const { calls, rest } = readRequests(
      'Set temperature to 0.3, switch off web research and describe it as Drift of T1.\nThen add a section about outliers.',
    );
    expect(calls).toEqual([
      setLlm({ temperature: 0.3 }),
      setTools('research'),
      described('Drift of T1'),
      section('Outliers'),
    ]);
    expect(rest).toEqual([]);
  });

  test.each([
    ['Make it better', ['Make it better']],
    ['Switch off the coffee machine', ['Switch off the coffee machine']],
    ['Set temperature to 0.2. And be nicer to the user.', ['And be nicer to the user']],
    ['もっと良くして', ['もっと良くして']],
  ])('gives back what it does not understand of “%s”', (message, rest) => {
    expect(readRequests(message).rest).toEqual(rest);
  });
});
