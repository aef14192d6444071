import type { Words } from '../words.ts';

/** ファイルからの取り込みの文言。 */
export const imports: Words['imports'] = {
  title: 'データの取り込み',
  drop: 'ここにファイルをドロップ',
  kinds: 'IBMバックエンドのプロパティと構成、CSVの表、QibolabまたはCirqのキャリブレーション（.gzも可）',
  choose: 'ファイルを選択',
  remove: (name) => `${name} を外す`,
  needsRole: '取り込みにはこのプロジェクトの編集者の権限が必要です。管理者または所有者に依頼してください。',
  impossible: 'このサーバーには取り込めません',
  why: 'QDashなど、QPilotが作成していないデータベースを読み取るだけで、変更しません。新しいデータはそのデータベースの側で追加されます。',
  tooLarge: (megabytes) => `ファイルの合計が ${megabytes} MB を超えています。数を減らしてください。`,
  fields: {
    chip: 'チップ',
    create: 'チップがなければ、表の量子ビットで作成または拡張する',
    time: '測定時刻',
    timeZone: 'タイムゾーン',
    parameter: 'パラメーター',
    unit: '単位',
    names: '0_6 のような名前',
    skipBad: '使えない行を除外する',
  },
  hints: {
    chip: '空欄ならファイルの名前のとおり',
    time: '時刻のないファイル用: 2026-05-20 14:30',
    timeZone: 'オフセットのない時刻に使用',
    parameter: '列が量子ビットごとの表用: t1、readout error',
    unit: 'us、GHz、% など',
  },
  chipOfTable: '表がどのチップのものか',
  names: { pairs: '量子ビット0と6のペア', grid: '行0・列6の量子ビット' },
  clear: '消去',
  how: 'ファイルに書かれていないこと',
  preview: 'プレビュー',
  doIt: (count) => `${count} 件の結果を取り込む`,
  cancel: 'キャンセル',
  stop: '中止',
  progress: (step, done, total) => {
    const of =
      total === null
        ? done.toLocaleString('ja')
        : `${total.toLocaleString('ja')} 中 ${done.toLocaleString('ja')}`;
    return {
      sending: 'ファイルを送信しています。',
      waiting: '他の取り込みを待っています。',
      reading: `読み取り中: ${of} 行`,
      checking: `確認中: ${of} 行`,
      writing: `保存中: ${of} 件`,
    }[step];
  },
  refused: '何も取り込まれませんでした',
  guessed: '次のように推測しました。正しいですか？',
  sources: {
    ibm: 'IBMバックエンド',
    csv: '表',
    qibolab: 'Qibolabのキャリブレーション',
    cirq: 'Cirqのキャリブレーション',
  },
  would: (source, added, known) =>
    `${source}: 新しい結果 ${added} 件、取り込み済み ${known} 件。まだ何も取り込んでいません。`,
  done: (added, known) => `${added} 件の結果を取り込みました（${known} 件は取り込み済み）。`,
  open: (chipId) => `${chipId} を開く`,
  otherWays: 'コマンドやHTTPから、QDashから、またはデモ',
  byHttp: '制御システムから（アカウントのページのAPIキーで）',
};
