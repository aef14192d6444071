/** Texts that people may paste, each one thing again and again: what makes a careless reader slow. */

const REPEATED: readonly string[] = [
  '(¦)¦((¦()¦[¦]¦{¦{}¦<¦<a¦<!--¦<data-a>\n¦"¦\'¦“¦`¦```¦~~~¦|¦| ¦|-¦|---|¦\\¦\\|¦/¦//¦*¦**¦_¦__',
  '#¦# ¦-¦--¦- ¦–¦=¦=>¦+¦.¦...¦. ¦,¦, ¦;¦; ¦:¦: ¦::¦?¦!¦&¦%¦$¦$$¦@¦^¦~¦>¦> ¦ ¦\t¦\n¦\r\n¦ \n¦\n\n',
  '\u00a0¦\u3000¦\u0000¦\ud800¦\u200b¦0¦1¦12¦0.¦0.0.¦1,000,¦1e¦-1¦1-¦1-2-¦1–¦1/¦1 ¦1, ¦20¦2024-¦2024-05-01 ¦5月¦5月1日',
  "12:¦12:30 ¦1 May ¦May ¦1st ¦1年 ¦５¦a¦a ¦aA¦aB1¦a_¦a-¦a'¦a.¦a@¦x1¦sk-¦eyJ¦eyJaaaaaaaa.",
  'password=¦password: ¦token ¦bearer ¦cookie: a=b; ¦authorization: ¦-----BEGIN ¦://',
  'http://¦http://a:¦https://a.b/c?d=e&¦a@b.¦api key ¦xyzzy plugh ¦Q¦Q1¦Q1 ¦Q1,¦Q1, ',
  'Q1 and ¦Q1-Q2 ¦Q1-¦Q1/¦Q1&¦Q1、¦Q1と¦q q¦Q1; ¦Q1. ¦qubit ¦qubits ¦qubits 1, ¦pair 1-2 and ',
  'the ¦of ¦and ¦or ¦nor ¦not ¦without ¦between ¦in ¦on ¦is ¦were ¦how many ¦which ',
  'what is ¦what is T1? ¦more than ¦below ¦above 1 us ¦T1 ¦T1¦T2 above 2 T1 ¦t1_',
  'readout error ¦error of ¦gate ¦cz gate ¦disabled ¦not disabled ¦working ¦leave out ',
  'leave Q1 out ¦Q1 excluded ¦last ¦last 3 ¦days ¦since ¦trend of ¦plot ¦average ¦best ',
  'worst 3 ¦us ¦1 us ¦1 us¦5 GHz ¦1% ¦2nd best ¦standard deviation ¦chip ¦on chip ',
  'of demo-64 ¦violates the T2 < 2 T1 limit ¦warn me when ¦any qubit ¦halves within 7 days ',
  'set the temperature to 0.3, ¦use python and ¦の¦と¦を¦は¦が¦で¦、¦。¦「¦「」¦量子¦量子ビット¦量子ビットの¦値',
  'T1が50μs未満の¦エラー¦ではなく¦除いて¦から¦1番¦上から3つ¦カタカナ¦漢字¦ひらがな¦ー¦〜¦直近¦いつ¦日¦月¦😀¦👨‍👩‍👧¦é¦e\u0301¦■¦■ ¦▫¦□',
  '◇¦μ¦°¦±¦→¦×¦\ufdfa',
].flatMap((line) => line.split('¦'));

const repeated = (part: string, length: number): string =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);

/** Texts of a length, by what they repeat; the last ones mix and nest. */
export function hostileTexts(length: number): ReadonlyMap<string, string> {
  const half = Math.floor(length / 2);
  return new Map([
    ...REPEATED.map((part) => [part, repeated(part, length)] as const),
    ...['(', '「', '“', '`', '> ', '- '].map(
      (part) => [`${part} then text`, repeated(part, half) + repeated('word ', half)] as const,
    ),
    ['all', repeated(REPEATED.join(''), length)],
    ['all spaced', repeated(REPEATED.join(' '), length)],
    ['nested', `${'('.repeat(half)}${')'.repeat(half)}`],
    ['question at the end', `${repeated('lorem ipsum ', length - 28)}What is the T1 of Q1 and Q2?`],
  ]);
}
