import type { Sentences } from '../sentences.ts';

/** Japanese for sentences of the server that many pages show: states of values, and what was not found. */
export const serverSentences: Sentences = {
  'this needs the role {needed!} in the project, and yours is {role!}; an admin or owner can change it':
    'プロジェクトでの権限「{needed}」が必要です。あなたの権限は「{role}」で、管理者または所有者が変更できます',
  'only administrators of this installation may do this': 'この操作はサーバー全体の管理者だけができます',
  'only administrators of this installation read the audit of other projects':
    'ほかのプロジェクトの監査記録はサーバー全体の管理者だけが見られます',
  'your role has changed; start again': '権限が変更されました。もう一度お試しください',
  'you are a member of no project here; an admin or owner of one can add you':
    '参加しているプロジェクトがありません。管理者または所有者が追加できます',
  'you have no project {project!}; yours: {known}':
    'プロジェクト {project} に参加していません。参加しているもの: {known}',
  viewer: '閲覧者',
  editor: '編集者',
  admin: '管理者',
  owner: '所有者',
  'this turn was undone before; nothing of it is left': 'このターンはすでに取り消されています。',
  'you went back to before this turn; nothing of it is left':
    'このターンより前のリビジョンに戻っているため、取り消す変更はありません。',
  'nothing of what this turn changed is left, so there is nothing to undo':
    'このターンの変更は残っていないため、取り消すものはありません。',
  'turn {id} changed nothing in this session, so there is nothing to undo':
    'このターンは何も変更していないため、取り消すものはありません。',
  'input.artifacts: the builder has proposed changes to these artifacts: accept or reject them first':
    '先に、提案された変更を承認または却下してください。',
  'the builder is writing the artifacts: wait until its turn ends, or cancel it':
    'ビルダーが書き込み中です。終わるまで待つか、停止してください。',
  'its newest result of {time}, {mark}, marks it as disabled':
    '{time} の最新結果が無効を示す値（{mark}）です',
  'its newest result, {mark}, marks it as disabled': '最新の結果が無効を示す値（{mark}）です',
  'older than {n#} hours': '測定から {n} 時間を超えています',
  '{value} is above twice the {t1} of {other}': '{value} は {t1}（{other}）の 2 倍を超えています',
  'no value, though most others of the chip have one':
    'チップのほかの大半には値がありますが、ここにはありません',
  'no rated value, though others of the chip have some':
    'チップのほかには評価対象の値がありますが、ここにはありません',
  'the newest snapshot lacks it; last seen at {time}':
    '最新のスナップショットにありません（最後の記録: {time}）',
  'no usable result': '使える結果がありません',
  '{n!} {unit!} is impossible: at most {most!} {limit!}': '{n} {unit} はあり得ません（上限 {most} {limit}）',
  'is of a time without such chips': 'このようなチップのない時代の日付です',
  'is in the future': '未来の日時です',
  'a fidelity of {n#} is not a probability': '忠実度 {n} は確率として正しくありません',
  'distinguishes the states no better than a coin toss': '状態をまったく判別できていない値です',
  'an anharmonicity of 0 was not measured': '非調和性 0 は測定されていない値です',
  'a transmon has a negative anharmonicity': 'トランズモンの非調和性は負のはずです',
  '{n#} is not a duration': '{n} は時間として正しくありません',
  '{n#} is not a frequency': '{n} は周波数として正しくありません',
  'there is no chip {chip!} in project {project!}; chips here: {known}':
    'プロジェクト {project} にチップ {chip} はありません。あるもの: {known}',
  'there is no qubit {qid} on chip {chip!}; its qubits: {known}':
    'チップ {chip} に量子ビット {qid} はありません。あるもの: {known}',
  'there is no coupling {qid} on chip {chip!}; its couplings: {known}':
    'チップ {chip} にカップリング {qid} はありません。あるもの: {known}',
  'there is no qubit or coupling {qid} on chip {chip!}; its parts: {known}':
    'チップ {chip} に {qid} はありません。あるもの: {known}',
  'the model {model} has no provider here': 'モデル {model} のプロバイダーがここにはありません',
  'from: chip {chip!} has no result of these from before {time}; choose a later time':
    'チップ {chip} には {time} より前の結果がありません。もっと後の時点を選んでください',
  'this link is not valid in this project, or not any more; ask the person who gave it to you for a new one':
    'このリンクはこのプロジェクトでは無効か、期限が切れています。共有した人に新しいリンクを依頼してください',
  'this link is not valid, or not any more; ask the person who gave it to you for a new one':
    'このリンクは無効か、期限が切れています。共有した人に新しいリンクを依頼してください',
  'chip {chip!} has no qubits': 'チップ {chip} に量子ビットがありません',
};

/** What joins sentences; tried where nothing else fits. */
export const joinedSentences: Sentences = {
  '{first}; {more}': '{first}。{more}',
  '{about}: {what}': '{about}: {what}',
};
