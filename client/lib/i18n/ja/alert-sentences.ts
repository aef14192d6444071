import type { Sentences } from '../sentences.ts';

/** Japanese for a rule in its one line. */
const RULES: Sentences = {
  '{parameter!} of any qubit on {chip!} {test}': '{chip} のいずれかの量子ビットの {parameter} が{test}',
  '{parameter!} of any coupling on {chip!} {test}': '{chip} のいずれかのカップリングの {parameter} が{test}',
  'any qubit on {chip!} {test}': '{chip} のいずれかの量子ビットが{test}',
  'any coupling on {chip!} {test}': '{chip} のいずれかのカップリングが{test}',
  '{parameter!} of {part!} on {chip!} {test}': '{chip} の {part} の {parameter} が{test}',
  '{part!} on {chip!} {test}': '{chip} の {part} が{test}',
  'below {limit}': ' {limit} より小さい',
  'above {limit}': ' {limit} より大きい',
  'falls by {n#} % {window}': '{window} {n} % 以上減少',
  'rises by {n#} % {window}': '{window} {n} % 以上増加',
  'worsens by {n#} sigma {window}': '{window} {n} σ 以上悪化',
  'within {n#} day[s]': ' {n} 日以内に',
  'within {n#} hour[s]': ' {n} 時間以内に',
  'since cooldown': '冷却開始以降に',
  'older than {n#} day[s]': ' {n} 日より古い',
  'older than {n#} hour[s]': ' {n} 時間より古い',
  'is disabled': '無効',
  'is missing': '欠落',
  'is doubtful': '疑わしい',
};

const MEASURED: Sentences = {
  'measured {time}': '測定 {time}',
  'of an unknown time': '測定時刻は不明',
};

/** Japanese for what an alert rests on. */
const EVIDENCE: Sentences = {
  '{title} of {label!} is {value}, below {limit}; {measured}':
    '{label} の {title} は {value}、{limit} より小さい（{measured}）',
  '{title} of {label!} is {value}, above {limit}; {measured}':
    '{label} の {title} は {value}、{limit} より大きい（{measured}）',
  '{title} of {label!} is {value}, not below {limit}; {measured}':
    '{label} の {title} は {value}、{limit} 以上（{measured}）',
  '{title} of {label!} is {value}, not above {limit}; {measured}':
    '{label} の {title} は {value}、{limit} 以下（{measured}）',
  '{title} of {label!} is {n#} hour[s] old; {measured}':
    '{label} の {title} は {n} 時間前の値です（{measured}）',
  '{title} of {label!} is {n#} day[s] old; {measured}':
    '{label} の {title} は {n} 日前の値です（{measured}）',
  '{title} of {label!} is {value} against {was} at {time}, worse by {n#} sigma; {measured}':
    '{label} の {title} は {value}、{time} の {was} から {n} σ 悪化（{measured}）',
  '{title} of {label!} is {value} against {was} at {time}, worse by {n#} usual changes; {measured}':
    '{label} の {title} は {value}、{time} の {was} から通常の変化の {n} 倍悪化（{measured}）',
  '{title} of {label!} is {value} against {was} at {time}; {measured}':
    '{label} の {title} は {value}、{time} では {was}（{measured}）',
  '{title} of {label!} is {state!}: {reason}': '{label} の {title} は{state}: {reason}',
  '{title} of {label!} is {state!}': '{label} の {title} は{state}',
  '{label!} is {state!}: {reason}': '{label} は{state}: {reason}',
  '{label!} is {state!}': '{label} は{state}',
  disabled: '無効',
  missing: '欠落',
  doubtful: '疑わしい値',
  enabled: '有効',
  ...MEASURED,
};

/** Japanese for what the evaluation of a rule came to. */
const RESULTS: Sentences = {
  '{first}; {more}': '{first}。{more}',
  'nothing to judge: the chip has no such qubit': '判定対象なし: チップに該当する量子ビットがありません',
  'nothing to judge: the chip has no such coupling': '判定対象なし: チップに該当するカップリングがありません',
  'nothing to judge: {why}': '判定対象なし: {why}',
  'no alert: none of {n#} qubit[s] {test}': 'アラートなし: 量子ビット {n} 個に該当なし（条件:{test}）',
  'no alert: none of {n#} coupling[s] {test}': 'アラートなし: カップリング {n} 個に該当なし（条件:{test}）',
  '{n#} alert[s] of {of#} qubit[s]: {labels}': '量子ビット {of} 個中 {n} 件: {labels}',
  '{n#} alert[s] of {of#} coupling[s]: {labels}': 'カップリング {of} 個中 {n} 件: {labels}',
  '{n#} muted': 'ミュート {n} 件',
  '{n#} qubit[s] not judged: {why}': '量子ビット {n} 個は判定できません: {why}',
  '{n#} coupling[s] not judged: {why}': 'カップリング {n} 個は判定できません: {why}',
  'no state is known': '状態が記録されていません',
  'no {parameter!} was ever recorded': '{parameter} の記録がありません',
  '{title} is in {unit!}, not in {other!}': '{title} の単位は {unit} で、{other} ではありません',
  '{title} has no number': '{title} は数値ではありません',
  '{title} has no time': '{title} に時刻がありません',
  'no value from before {time}': '{time} より前の値がありません',
  '{title} changed its unit': '{title} の単位が変わっています',
  'the earlier value is 0, of which nothing is a share': '以前の値が 0 のため、割合を計算できません',
  'of {title} neither errors nor enough earlier changes are recorded':
    '{title} は誤差も過去の変化も十分に記録されていません',
  'when the cool-down began is not recorded': '冷却開始の時刻が記録されていません',
  '{title} is disabled': '{title} は無効です',
  '{title} is missing': '{title} は欠落しています',
  '{labels} and {n#} more': '{labels}、ほか {n} 件',
  '{labels} and {last!}': '{labels}、{last}',
};

const CONDITIONS =
  '"below 20 us", "above 2 %", "halves within 7 days", "falls by 30 % within 3 days", "worsens by 5 sigma since cooldown", "older than 3 days" or "is disabled"';
const CONDITIONS_JA =
  '"below 20 us"、"above 2 %"、"halves within 7 days"、"falls by 30 % within 3 days"、"worsens by 5 sigma since cooldown"、"older than 3 days"、"is disabled"';

/** Japanese for what is wrong with the line of a rule, or with a destination. */
const PROBLEMS: Sentences = {
  'at character {n#}: {problem}': '{n} 文字目から: {problem}',
  'a rule has at most {n#} characters': 'ルールは {n} 文字までです',
  'the rule is empty; write for example {example}': 'ルールが空です。例: {example}',
  'name a parameter before "of", for example {example}':
    '"of" の前にパラメーターを書いてください。例: {example}',
  'name the chip after "on"': '"on" のあとにチップを書いてください',
  'say on which chip, for example {example}': 'どのチップかを書いてください。例: {example}',
  'name a part: "any qubit", "any coupling", "Q27" or "Q3-Q4"':
    '対象を書いてください: "any qubit"、"any coupling"、"Q27"、"Q3-Q4" など',
  '{name!} is a parameter; say of what, as in {example}':
    '{name} はパラメーターです。何のパラメーターかを書いてください。例: {example}',
  '"{name}" is no part; write "any qubit", "any coupling", "Q27" or "Q3-Q4", or a parameter with "of", as in {example}':
    '「{name}」は対象ではありません。"any qubit"、"any coupling"、"Q27"、"Q3-Q4" など、またはパラメーターと "of" を書いてください。例: {example}',
  '"{name}" is no part; write "any qubit", "any coupling", "Q27" or "Q3-Q4"':
    '「{name}」は対象ではありません。"any qubit"、"any coupling"、"Q27"、"Q3-Q4" などと書いてください',
  'write "qubit" or "coupling" after "{word}"':
    '"{word}" のあとに "qubit" または "coupling" と書いてください',
  '{name} is measured on qubits, not on couplings':
    '{name} は量子ビットのパラメーターで、カップリングのものではありません',
  '{name} is measured on couplings, not on qubits':
    '{name} はカップリングのパラメーターで、量子ビットのものではありません',
  'there is no parameter "{name}" of qubits; known are {known}':
    '量子ビットのパラメーター「{name}」はありません。あるもの: {known}',
  'there is no parameter "{name}" of couplings; known are {known}':
    'カップリングのパラメーター「{name}」はありません。あるもの: {known}',
  [`say when to warn: ${CONDITIONS}`]: `いつ知らせるかを書いてください: ${CONDITIONS_JA}`,
  [`"{written}" is no condition; write ${CONDITIONS}`]: `「{written}」は条件ではありません。例: ${CONDITIONS_JA}`,
  'a part is disabled, missing or doubtful; for "{written}" name a parameter, as in {example}':
    '対象だけの条件は disabled、missing、doubtful です。「{written}」にはパラメーターを書いてください。例: {example}',
  'say within which time: "within 7 days" or "since cooldown"':
    '期間を書いてください: "within 7 days" または "since cooldown"',
  'say in which unit: {example}': '単位を書いてください: {example}',
  '{name!} is in no unit, which {unit!} cannot be compared with':
    '{name} には単位がなく、{unit} とは比べられません',
  '{name!} is in {shown}, which {unit!} cannot be compared with':
    '{name} の単位は {shown} で、{unit} とは比べられません',
  '{n#} is too large': '{n} は大きすぎます',
  'write the change of the fidelity, which is stored: {name!}':
    '変化は、保存されている忠実度で書いてください: {name}',
  'a value falls by more than 0 and at most {n#} %': '減少は 0 より大きく {n} % 以下で書いてください',
  'a value rises by more than 0 and at most {n#} %': '増加は 0 より大きく {n} % 以下で書いてください',
  '{name!} gets better so; write {example}': '{name} はその向きでは良くなります。{example} と書いてください',
  'at least {n#} sigma: values move by less than that by chance':
    '{n} σ 以上にしてください。それより小さい変化は偶然に起こります',
  'of {name!} no way is worse; write {example} or {other}':
    '{name} にはどちらが悪いという向きがありません。{example} または {other} と書いてください',
  'a time is more than 0 hours and at most 10 years': '期間は 0 時間より長く 10 年以下にしてください',
  '{n#} addresses': '{n} 件のアドレス',
  'this project has {n#} rules, which is the limit; delete one first':
    'ルールは上限の {n} 件に達しています。先に削除してください',
  'this project has {n#} destinations, which is the limit; delete one first':
    '通知先は上限の {n} 件に達しています。先に削除してください',
  'this server sends no mail; an operator sets SMTP_URL':
    'このサーバーはメールを送れません。運用者が SMTP_URL を設定します',
  'must name at least one address of mail': 'メールアドレスを 1 つ以上入力してください',
  'must be the address that messages are posted to': '送信先の URL を入力してください',
  'must be an http or https address': 'http または https の URL を入力してください',
  'must be addresses of mail': 'メールアドレスを入力してください',
  'must be at most {n#} addresses': 'アドレスは {n} 件までです',
  'must not be blank': '空にはできません',
  'must have at most {n#} characters': '{n} 文字以下にしてください',
  'must be a time such as {time!}': '{time} のような時刻を入力してください',
  'must be an IANA time zone, for example {zone!}': '{zone} のような IANA タイムゾーンを入力してください',
  'only a WEBHOOK can subscribe to TURN_ENDED: so many messages would flood a chat or mailbox':
    '回答の終了は WEBHOOK にのみ通知できます',
  'its destination was switched off': '通知先が停止されました',
  'nothing arrived for {n#} hours; last: {why}': '{n} 時間届いていません。最後のエラー: {why}',
  'the destination is switched off: {why}; send a test or save it to switch it on':
    '通知先は停止中です（{why}）。テスト送信または保存すると再開します',
  'its alerts are gone': 'アラートは削除されています',
  'this project has no message {id!}': 'メッセージ {id} はありません',
  '{host!} is in a private network; an operator can allow it with {setting!}':
    '{host} はプライベートネットワークにあります。運用者が {setting} で許可できます',
  '{host!} answered {status}': '{host} の応答: {status}',
  '{host!} did not answer in time': '{host} が時間内に応答しません',
  '{host!} cannot be reached ({code})': '{host} に接続できません（{code}）',
};

/** Japanese for alerts and their rules; what fits several patterns is meant by the first. */
export const alertSentences: Sentences = { ...PROBLEMS, ...RULES, ...EVIDENCE, ...RESULTS };
