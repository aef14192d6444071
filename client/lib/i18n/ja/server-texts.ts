/** Japanese for texts of the shipped experts, presets and tools, by the English of the server. */
export const serverTexts: Readonly<Record<string, string>> = {
  'General analyst': '汎用アナリスト',
  'Answers any question about the calibration data with all tools, and writes down what it found.':
    '較正データについてのあらゆる質問に、すべてのツールを使って答え、分かったことを書き残します。',
  Calibrator: 'キャリブレーター',
  'Plans the next calibrations, what to measure first on which qubits and why, from age, quality and failures of the stored values.':
    '保存値の古さ、品質、失敗から、どの量子ビットで何をまず測るべきか、その理由とともに次の較正を計画します。',
  Coder: 'コーダー',
  'Writes and checks analysis scripts for questions that no ready tool answers, with data, code and result side by side.':
    '既存のツールでは答えられない質問のために解析スクリプトを書いて確認し、データ、コード、結果を並べて示します。',
  Researcher: 'リサーチャー',
  'Finds out since when something drifts or fails, how far it reaches, and what the likely cause is.':
    'ドリフトや失敗がいつから、どこまで及んでいるか、考えられる原因は何かを調べます。',
  Writer: 'ライター',
  'Writes the calibration report of a chip for people who were not there, complete, dated and with every figure referenced.':
    'その場にいなかった人のために、日付とすべての数値の出典を付けた、完全なチップの較正報告書を書きます。',
  general: '汎用',
  planning: '計画',
  calibration: '較正',
  schedule: '予定',
  python: 'Python',
  analysis: '解析',
  statistics: '統計',
  drift: 'ドリフト',
  'root cause': '原因',
  investigation: '調査',
  report: '報告',
  summary: '要約',
  documentation: '文書化',
  Fast: '高速',
  'A small model and little reasoning, for a first look.': '小さなモデルと少ない推論で、まず様子を見ます。',
  'Fast (Claude)': '高速（Claude）',
  'The same with a small model of Anthropic.': '同じことをAnthropicの小さなモデルで行います。',
  Thorough: '入念',
  'Much reasoning with the model of the expert, and the same answer each time as far as it can.':
    'エキスパートのモデルで推論を多く行い、できるだけ毎回同じ答えになるようにします。',
  'Stored data only': '保存データのみ',
  'Neither the web nor live instruments; everything in the report comes from stored records.':
    'ウェブも稼働中の装置も使わず、報告書の内容はすべて保存された記録から得ます。',
  'Offline analyst': 'オフライン・アナリスト',
  'No language model at all; fixed rules carry the job out and write a plain report.':
    '言語モデルを使わず、決まった規則でジョブを実行し、簡潔な報告書を書きます。',
  'needs TAVILY_API_KEY on the server': 'サーバーに TAVILY_API_KEY の設定が必要です',
  'needs LIVE_SOURCE_URL on the server': 'サーバーに LIVE_SOURCE_URL の設定が必要です',
  'needs mcpServers in config/qpilot.yaml': 'config/qpilot.yaml の mcpServers の設定が必要です',
  'needs an attached datasource of type sql': 'sql 型のデータソースの接続が必要です',
  'needs an attached datasource of type mongodb': 'mongodb 型のデータソースの接続が必要です',
  'has no tools in QPilot': 'QPilot にはツールがありません',
};
