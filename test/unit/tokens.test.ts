import { describe, expect, test } from '@jest/globals';
import * as cl100k from 'gpt-tokenizer/encoding/cl100k_base';
import * as o200k from 'gpt-tokenizer/encoding/o200k_base';
import { estimateTokens } from '../../src/domain/conversation/tokens.ts';

const rows = Array.from({ length: 60 }, (_, index) => ({
  qid: String(index),
  t1: 40 + Math.sin(index) * 12.345678,
  at: new Date(1.7e12 + index * 1e7).toISOString(),
}));

const TEXTS: Readonly<Record<string, string>> = {
  'English prose':
    'T1 of Q07 fell from 52 to 38 μs within a week, while the readout fidelity stayed where it was. Quasiparticles are the likely cause; measure T1 again after the next thermal cycle before you retune the gates.',
  'Japanese prose':
    '量子ビットQ07のT1は直近7日間で52マイクロ秒から38マイクロ秒へ低下しました。読み出し忠実度は安定しており、原因は準粒子または二準位系の揺らぎと考えられます。',
  kana: 'これはひらがなとカタカナのテストです。キャリブレーションのデータをみせてください。',
  Korean: '큐비트의 결맞음 시간이 지난주보다 짧아졌습니다. 다시 측정해 주세요.',
  Chinese: '量子比特的相干时间比上周缩短了，请重新校准读出参数并检查准粒子的影响。',
  'a tool result': JSON.stringify(rows),
  figures: rows.map(({ t1 }) => t1.toFixed(7)).join(' '),
  Python: 'values = [r["t1"] for r in rows if r["t1"] is not None]\nresult = {"output": median(values)}\n',
};

describe('The guess at the tokens of a text', () => {
  test.each(Object.entries(TEXTS))('is high, but not by half again: %s', (_kind, text) => {
    const guess = estimateTokens(text);
    expect(guess).toBeGreaterThanOrEqual(o200k.countTokens(text));
    // The older vocabulary has fewer words for Asian scripts.
    expect(guess).toBeGreaterThanOrEqual(0.95 * cl100k.countTokens(text));
    expect(guess).toBeLessThanOrEqual(1.6 * cl100k.countTokens(text));
  });

  test('is nothing for no text', () => {
    expect(estimateTokens('')).toBe(0);
  });

  test('takes 100,000 characters of Japanese for what they are: far more than a quarter as many tokens', () => {
    const text = TEXTS['Japanese prose']!.repeat(1_300);
    expect(estimateTokens(text) / text.length).toBeGreaterThan(0.8);
  });
});
