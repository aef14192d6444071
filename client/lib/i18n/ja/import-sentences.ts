import type { Sentences } from '../sentences.ts';

/** Japanese for reports of imports: what was understood and taken, and what was not. */
const REPORT: Sentences = {
  '{chip!}: snapshot of {device} from {time} into project {project!}':
    '{chip}: {device} の {time} のスナップショット → プロジェクト {project}',
  '{chip!}: {n#} version[s] of calibration.json into project {project!}':
    '{chip}: calibration.json {n} 版 → プロジェクト {project}',
  '{chip!}: {file} into project {project!}': '{chip}: {file} → プロジェクト {project}',
  '{n#} qubit[s], {m#} directed coupling[s], {r#} result[s]; {k#} values only repeat an older one':
    '量子ビット {n} 個、向きのあるカップリング {m} 個、結果 {r} 件。{k} 件は以前の値の繰り返し',
  '{n#} qubit[s], {m#} directed coupling[s]': '量子ビット {n} 個、向きのあるカップリング {m} 個',
  '{n#} qubit[s], {m#} coupling[s], {v#} value[s] of {time} ({from})':
    '量子ビット {n} 個、カップリング {m} 個、{time} の値 {v} 件（{from}）',
  'as the file says': 'ファイルの記載',
  'as {time} says; the file has no time': '{time} の指定。ファイルに時刻なし',
  'the day in its name; the file has no time': 'ファイル名の日付。ファイルに時刻なし',
  '{n#} value[s] of {a#} qubit[s] and {b#} directed coupling[s]':
    '量子ビット {a} 個と向きのあるカップリング {b} 個の値 {n} 件',
  '{n#} value[s] of {a#} qubit[s]': '量子ビット {a} 個の値 {n} 件',
  '{n#} value[s] of {b#} directed coupling[s]': '向きのあるカップリング {b} 個の値 {n} 件',
  '{n#} record[s]: {t#} taken, {k#} not taken': '記録 {n} 件: 取り込み {t} 件、除外 {k} 件',
  'measured between {from} and {to}': '測定期間 {from} ～ {to}',
  'taken: nothing': '取り込み: なし',
  'taken: {kinds}': '取り込み: {kinds}',
  'not taken: {n#}': '除外: {n} 件',
  'disabled by the vendor (a gate error of 1 or more, or not operational): {n#}':
    'ベンダーが無効にしたもの（ゲートエラー 1 以上、または稼働停止）: {n} 件',
  'pairs of the coupling map that name missing qubits: {n#}':
    '存在しない量子ビットを指すカップリングマップの対: {n} 件',
  'kept, but implausible: {n#}': '取り込んだが、ありそうもない値: {n} 件',
  'kept, but in doubt: {n#}': '取り込んだが、疑わしい値: {n} 件',
  'kept, but excluded from all statistics: {n#}': '取り込んだが、統計からは除外: {n} 件',
  '… and {n#} more': '… ほか {n} 件',
  'task results: {n#} added, {k#} already present': 'タスク結果: 追加 {n} 件、取り込み済み {k} 件',
  'times are {from}, from {oldest} to {newest}; the files carry none':
    '時刻は{from}（{oldest} ～ {newest}）。ファイルに時刻はありません',
  'the days in the names of the files': 'ファイル名の日付',
  'the times of the commits': 'コミットの時刻',
  'readout.fidelity is 1 - P(0|1) - P(1|0) there; stored is the assignment fidelity, (1 + it) / 2':
    'readout.fidelity は元では 1 - P(0|1) - P(1|0)。割り当て忠実度 (1 + 値) / 2 として保存',
  'anharmonicity is frequency_12 - frequency_01 of the file in which frequency_12 changed':
    'anharmonicity は、frequency_12 が変わったファイルの frequency_12 - frequency_01',
  'readout_frequency is resonator.dressed_frequency, t2_star is t2, average_gate_fidelity is rb_fidelity':
    'readout_frequency は resonator.dressed_frequency、t2_star は t2、average_gate_fidelity は rb_fidelity',
  'p00 and p11 errors, and average errors of gates and cycles, are stored as fidelities, 1 - error':
    'p00・p11 のエラーと、ゲートとサイクルの平均エラーは、忠実度（1 - エラー）として保存',
  'average_readout_fidelity is 1 - (p00 error + p11 error) / 2 of the isolated readout':
    'average_readout_fidelity は、単独読み出しの 1 - (p00 エラー + p11 エラー) / 2',
  'other errors (Pauli, incoherent, separation, angles) keep their names and values; parallel_ ones are apart from isolated ones':
    'ほかのエラー（パウリ、非コヒーレント、分離、角度）は名前も値もそのまま。parallel_ は単独のものと別に保存',
  'not measured (null or 0): {n#}': '未測定（null または 0）: {n} 件',
  'places not taken: {n#}': '取り込まない項目: {n} 件',
  'qubits are numbered row by row: {legend}': '量子ビットの番号は行の順: {legend}',
  'numbers of the qubits: {legend}': '量子ビットの番号: {legend}',
  'values that repeat the other direction of a pair: {n#}': '対の逆向きと同じ値: {n} 件',
  '{file}, as understood:': '{file} の解釈:',
  'title: {title}': 'タイトル: {title}',
  'a row per time, a column per {kind!}': '行が時刻、列が{kind}',
  'a row per {kind!}, a column per time': '行が{kind}、列が時刻',
  'a column per {kind!}': '列が{kind}',
  qubit: '量子ビット',
  coupling: 'カップリング',
  'parameter: {title}, from {from}; errors are stored as 1 - error':
    'パラメーター: {title}（根拠: {from}）。エラーは 1 - エラー として保存',
  'parameter: {title}, from {from}': 'パラメーター: {title}（根拠: {from}）',
  'unit: none, from {from}; stored in {unit!}': '単位: なし（根拠: {from}）。保存の単位: {unit}',
  'unit: {found!}, from {from}; stored in {unit!}': '単位: {found}（根拠: {from}）。保存の単位: {unit}',
  'the title': 'タイトル',
  'the file name': 'ファイル名',
  'the headings': '見出し',
  'the heading of {name}': '{name} の見出し',
  'no unit is given': '単位の記載なし',
  'the values: only {unit!} makes all of them plausible': '値（すべて妥当になるのは {unit} のみ）',
  'the values: up to {n#}, so they are percentages': '値（最大 {n} なのでパーセント）',
  'the values: none above 1, so they are fractions': '値（1 を超えないので割合）',
  'the metric has none': 'この指標に単位なし',
  'the field "{name}"': '項目「{name}」',
  '{name}: no unit, from {from}': '{name}: 単位なし（根拠: {from}）',
  '{name}: in {unit!}, from {from}': '{name}: 単位 {unit}（根拠: {from}）',
  'of: {n#} place[s]: {names}, … {k#} more': '対象: {n} か所: {names}、… ほか {k} か所',
  'of: {n#} place[s]: {names}': '対象: {n} か所: {names}',
  'rows: {n#}; values: {v#}; cells without a value: {e#}; unusable: {u#}':
    '行 {n}、値 {v}、空のセル {e}、使えない行 {u}',
  'times: {from} to {to}, oldest first': '時刻: {from} ～ {to}（古い順）',
  'times: {from} to {to}, newest first': '時刻: {from} ～ {to}（新しい順）',
  'times: {from} to {to}, in no order of time': '時刻: {from} ～ {to}（時刻順ではない）',
  'times: {time}': '時刻: {time}',
  'columns left out: {names}': '使わない列: {names}',
  'first values as they will be stored:': '保存される値（先頭から）:',
  '{value} (written: {written!})': '{value}（元の表記: {written}）',
  'times without an offset are read in {zone!}': 'オフセットのない時刻は {zone} として解釈',
  'parameters missing from config/metrics.yaml, shown unrated: {n#}':
    'config/metrics.yaml にないパラメーター（評価なしで表示）: {n} 件',
  'columns ignored: {n#}': '無視した列: {n} 件',
  'decimal commas read as points: {n#}': '小数点として読んだコンマ: {n} 件',
  'cells without a value: {n#}': '空のセル: {n} 件',
  'rows skipped: {n#}': '除外した行: {n} 件',
  'unusable rows: {n#}': '使えない行: {n} 件',
  'the parameter (the field "parameter")': 'パラメーター（項目「parameter」）',
  'the unit (the field "unit")': '単位（項目「unit」）',
  'the unit of {name} (write "{heading}" in the header)': '{name} の単位（見出しに「{heading}」と書けます）',
  '{name} is a qubit by row and column (the field "names" grid or pairs)':
    '{name} は行と列で表した量子ビット（項目「names」: grid または pairs）',
  'the order of the files of {day!}, as given, a second apart: {names}':
    '{day} のファイルの順序（与えられた順に 1 秒間隔）: {names}',
};

/** Japanese for why a record or a value was left out or is in doubt. */
const REASONS: Sentences = {
  'no parameter for this record': '対応するパラメーターがありません',
  'not a number': '数値ではありません',
  'not a probability': '確率ではありません',
  'unknown unit "{unit}"': '不明な単位「{unit}」',
  'its date {date!} {why}': '日付 {date}: {why}',
  'the file does not say on which qubits': 'どの量子ビットかの記載がありません',
  'names a qubit that the chip does not have': 'チップにない量子ビットを指しています',
  'names qubit {n#}, and the chip has {size#}': 'チップの {size} 個にない量子ビット {n} を指しています',
  'names one qubit twice': '同じ量子ビットを 2 回指しています',
  'a gate on {n#} qubits': '{n} 量子ビットのゲート',
  'no single pair of the chip has this name': 'この名前の対がチップで 1 つに決まりません',
  'the file gives several values for this time': '同じ時刻に複数の値があります',
  'exactly 0: not measured': '0 ちょうどは未測定の意味です',
  'a virtual gate has no error': '仮想ゲートにエラーはありません',
  'a virtual gate takes no time': '仮想ゲートに時間はかかりません',
  "a gate error of {n#} is the vendor's mark for a disabled gate":
    'ゲートエラー {n} はベンダーの無効の印です',
  'a readout error of exactly 1 means that none was measured':
    '読み出しエラーがちょうど 1 なのは未測定の意味です',
  'a readout error of {n#} distinguishes the states no better than a coin toss':
    '読み出しエラー {n} では状態をまったく判別できません',
  'the state is read wrongly with a probability of {n#}, no better than a coin toss':
    '状態を誤って読む確率が {n} で、まったく判別できません',
  'an error of {n#} is not a probability': 'エラー {n} は確率ではありません',
  '{n#} is not a duration or frequency': '{n} は時間としても周波数としても正しくありません',
  'T2 of {t2#} μs is above twice the T1 of {t1#} μs': 'T2 {t2} μs は T1 {t1} μs の 2 倍を超えています',
  'one file does not tell whether both frequencies were measured together':
    '1 つのファイルでは、2 つの周波数が同時に測られたかが分かりません',
};

/** Japanese for what is wrong with files, tables and rows. */
const PROBLEMS: Sentences = {
  'nothing was imported; fix them, or pass the field "skipBad" to import the rest':
    '何も取り込まれませんでした。次の行を直すか、「使えない行を除外する」を選んで残りを取り込んでください',
  'nothing was imported; no row can be used': '何も取り込まれませんでした。使える行がありません',
  'no row contains a value': '値のある行がありません',
  'nothing was imported; guessed: {guesses}. If the preview is right, add the field "yes"; otherwise say what is right':
    '何も取り込まれませんでした。推測: {guesses}。プレビューが正しければ「取り込む」を押し、違うものは指定してください',
  'name the chip that the table belongs to: the field "chip" ID': '表がどのチップのものかを入力してください',
  'send one table at a time': '表は 1 つずつ送ってください',
  'no file was sent; send them as the field files': 'ファイルがありません',
  'two files are called {name}: rename one of them':
    '{name} という名前のファイルが 2 つあります。片方の名前を変えてください',
  'the files have more than {n#} MB unpacked: send fewer at once':
    '展開後の合計が {n} MB を超えています。数を減らしてください',
  'the files are of several kinds ({kinds}): send each kind alone':
    '複数の種類（{kinds}）のファイルです。種類ごとに送ってください',
  'the name of the file does not say the chip: pass the field "chip"':
    'ファイル名からチップが分かりません。「チップ」を入力してください',
  '{name!} is JSON of no known kind: IBM properties have qubits and configurations n_qubits, a Qibolab calibration has single_qubits, and one of Cirq metrics':
    '{name} は未知の JSON です。IBM のプロパティには qubits、構成には n_qubits、Qibolab には single_qubits、Cirq には metrics があります',
  '{device} has properties ({files}) and no configuration: give both files of a snapshot':
    '{device} はプロパティ（{files}）だけで、構成がありません。スナップショットの両方のファイルを入れてください',
  '{device} has configuration ({files}) and no properties: give both files of a snapshot':
    '{device} は構成（{files}）だけで、プロパティがありません。スナップショットの両方のファイルを入れてください',
  'give the files of a device: {files}': 'デバイスのファイルを入れてください: {files}',
  '{device}: {what}. Name the two files of a snapshot alike, such as {example}':
    '{device}: {what}。1 つのスナップショットの 2 ファイルは同じように名付けてください（例: {example}）',
  'it is not clear which files belong together': 'どのファイルが組か分かりません',
  '{file} has no configuration': '{file} の構成がありません',
  '{file} has no properties': '{file} のプロパティがありません',
  '{name!} is neither backend properties (they have qubits and last_update_date) nor a backend configuration (n_qubits, coupling_map)':
    '{name} はプロパティ（qubits と last_update_date）でも構成（n_qubits と coupling_map）でもありません',
  '{a!} is of {x!} and {b!} of {y!}: both files must describe the same device':
    '{a} は {x}、{b} は {y} のものです。同じデバイスのファイルが必要です',
  '{a!} describes {x#} qubits and {b!} {y#} (n_qubits): they are not of the same device':
    '{a} は {x} 量子ビット、{b} は {y} 量子ビットで、同じデバイスのものではありません',
  '{name!} is not UTF-8 text: save it as UTF-8': '{name} は UTF-8 ではありません。UTF-8 で保存してください',
  '{name!} is a gzip file that cannot be unpacked: {why}': '{name} の gzip を展開できません: {why}',
  'nothing says when {name!} was written: pass the field "time", name it like NAME.2026-05-20.json, or give the folder in its git repository':
    '{name} の時刻が分かりません。「測定時刻」を入力するか、NAME.2026-05-20.json のように名付けてください',
  '{name!} has no time, nor a day in its name: pass the field "time"':
    '{name} に時刻も、名前に日付もありません。「測定時刻」を入力してください',
  '{name!} has its day in its name: remove the field "time"':
    '{name} は名前に日付があります。「測定時刻」を空にしてください',
  'the field "time" is for one file; date the names of several: NAME.2026-05-20.json':
    '「測定時刻」は 1 ファイル用です。複数なら NAME.2026-05-20.json のように名付けてください',
  '{name!} has no version with values': '{name} に値のある版がありません',
  '{n#} value[s] first appeared before the time that they are stored with ({example}): import the whole history at once under another the field "chip"':
    '値 {n} 件は、保存された時刻より前に現れています（{example}）。別のチップ名で履歴全体を一度に取り込んでください',
  '{name!} cannot be a chip id: it begins with a letter or digit and has at most 100 letters, digits, _, . and -':
    '{name} はチップの名前にできません。英数字で始まる、英数字と _ . - の 100 文字以内にしてください',
  'chip {chip!} in project {project!} already holds data of {source}, not {other}: choose another id with the field "chip"':
    'プロジェクト {project} のチップ {chip} には {source} のデータがあり、{other} とは別です。別のチップ名を入力してください',
  'there is no chip {chip!} in project {project!} (existing: {others}); pass the field "create" to create it from the qubits in the table, or the field "size" N for qubits 0 to N - 1':
    'プロジェクト {project} にチップ {chip} はありません（あるもの: {others}）。作成するには「チップがなければ…作成」を選んでください',
  'chip {chip!} has {n#} qubits, not {m#}: leave out the field "size"':
    'チップ {chip} の量子ビットは {m} 個ではなく {n} 個です',
  'chip {chip!} counts its qubits: it has none by row and column':
    'チップ {chip} の量子ビットは番号で、行と列では表されません',
  'chip {chip!} has no qubit at {place}': 'チップ {chip} の {place} に量子ビットはありません',
  'chip {chip!} has no qubit {qid!}; it has {n#}, from {first} to {last}':
    'チップ {chip} に量子ビット {qid} はありません（{first} ～ {last} の {n} 個）',
  'chip {chip!} has no coupling between {a!} and {b!}':
    'チップ {chip} に {a} と {b} のカップリングはありません',
  'line {n#}, {what}: {why}': '{n} 行目、{what}: {why}',
  'line {n#} has {cells#} cells, but the header has {columns#} columns (separated by {by}). A decimal comma splits a number into two cells: write decimal points, or separate cells by semicolons.':
    '{n} 行目は {cells} セルですが、見出しは {columns} 列です（区切り: {by}）。小数のコンマは数値を 2 セルに分けます。小数点を使うか、セミコロンで区切ってください',
  'line {n#} has {cells#} cells, but the header has {columns#} columns (separated by {by}).':
    '{n} 行目は {cells} セルですが、見出しは {columns} 列です（区切り: {by}）',
  'line {n#} has more than {m#} bytes: this is no table':
    '{n} 行目が {m} バイトを超えています。表ではありません',
  'line {n#} is not UTF-8 text: save the file as CSV UTF-8':
    '{n} 行目が UTF-8 ではありません。CSV UTF-8 で保存してください',
  'line {n#} holds a NUL character: this is not a text file':
    '{n} 行目に NUL 文字があります。テキストファイルではありません',
  'line {n#} has a quotation mark inside a cell: quote the whole cell and double the inner mark':
    '{n} 行目のセルの中に引用符があります。セル全体を引用符で囲み、中の引用符は 2 つ書いてください',
  'line {n#}: {problem}': '{n} 行目: {problem}',
  'a quotation mark is never closed; the file ends on line {n#}':
    '閉じていない引用符があります（ファイルは {n} 行目で終わります）',
  'no rows below the header: at least one is needed': '見出しの下に行がありません',
  'the header names {n#} columns; at most {m#} are taken': '見出しが {n} 列あります。上限は {m} 列です',
  'the table has more than {n#} cells: split it': '表が {n} セルを超えています。分けてください',
  'the table has more than {n#} values: split it': '表の値が {n} 件を超えています。分けてください',
  'the table has more than {n#} qubits, couplings and parameters of them: split it':
    '表の量子ビット、カップリングとそのパラメータが {n} 件を超えています。分けてください',
  '{name} has more than {n#} MB of JSON': '{name} のJSONが {n} MB を超えています',
  '{name} has more than {n#} lists and objects: it describes no device':
    '{name} のリストとオブジェクトが {n} 件を超えています。デバイスの記述ではありません',
  'the server has more requests than it can serve now; try again in {n#} s':
    'サーバーが混み合っています。{n} 秒後にもう一度お試しください',
  'the files need more than {n#} MB of memory: send a part of them at a time':
    'ファイルの処理に {n} MB を超えるメモリが必要です。分けて送ってください',
  'the import ended before it was done; the log of the server says why':
    '取り込みが途中で終わりました。理由はサーバーのログにあります',
  'the files need more than {n#} MB of memory: send a part of them at a time. What it had written stays, and the same files again add the rest':
    'ファイルの処理に {n} MB を超えるメモリが必要です。分けて送ってください。保存済みのものは残り、同じファイルをもう一度送ると続きが追加されます',
  'the import ended before it was done; the log of the server says why. What it had written stays, and the same files again add the rest':
    '取り込みが途中で終わりました。理由はサーバーのログにあります。保存済みのものは残り、同じファイルをもう一度送ると続きが追加されます',
  'the file is empty: send a header line and at least one row':
    'ファイルが空です。見出しと 1 行以上が必要です',
  'the first line holds numbers: it must name the columns, for example {example}':
    '1 行目が数値です。列の見出しが必要です（例: {example}）',
  'column {n#} has no heading: name it in the first line':
    '{n} 列目に見出しがありません。1 行目に書いてください',
  'the heading "{name}" has more than {n#} characters': '見出し「{name}」が {n} 文字を超えています',
  'the first line has duplicate headings: {names}; give each column its own heading':
    '見出しが重複しています: {names}。列ごとに別の見出しにしてください',
  'this file is an Excel workbook or a zip archive: export the sheet as CSV UTF-8':
    'Excel か zip のファイルです。シートを CSV UTF-8 で書き出してください',
  'this file is an old Excel workbook: export the sheet as CSV UTF-8':
    '旧形式の Excel ファイルです。シートを CSV UTF-8 で書き出してください',
  'this file is a picture: send a table as CSV': '画像ファイルです。表を CSV で送ってください',
  'this file is a PDF: send the table as CSV': 'PDF です。表を CSV で送ってください',
  'this file is {what}': '使えない形式です: {what}',
  '{what} is "{text}": it must be a number, with its unit in the column "unit"':
    '{what}が "{text}" です。数値にし、単位は列「unit」に書いてください',
  '{what} is "{text}": write decimal points, for example {example}':
    '{what}が "{text}" です。小数点で書いてください（例: {example}）',
  'value of {name}': '{name} の値',
  'error of {name}: {problem}': '{name} の誤差: {problem}',
  'error of {name}': '{name} の誤差',
  '"{place}" is not a qubit by row and column: write 0_6, and 0_6-1_6 for a coupling':
    '"{place}" は行と列の量子ビットではありません。0_6、カップリングは 0_6-1_6 と書いてください',
  '"{place}" is not a qubit or coupling: write 12 or Q12, and 0-1 for a coupling (control, target)':
    '"{place}" は量子ビットでもカップリングでもありません。12 か Q12、カップリングは 0-1（制御、標的）と書いてください',
  'no column gives its measurement time': '測定時刻の列がありません',
  'no column gives measurement times: name one "time", or pass the field "time" for all rows':
    '測定時刻の列がありません。列を「time」と名付けるか、「測定時刻」に全行の時刻を入力してください',
  'the table has its own time column: remove the field "time"':
    '表に時刻の列があります。「測定時刻」を空にしてください',
  'the field "time": {problem}': '「測定時刻」: {problem}',
  'time "{text}": write 2026-05-20 14:30, with +09:00 or Z behind it or in the zone of the field "timeZone"':
    '時刻 "{text}" は 2026-05-20 14:30 のように書いてください。+09:00 や Z がなければ「タイムゾーン」の時刻とします',
  'time "{text}": the clocks of {zone!} skipped that hour: write it with its offset, or give another the field "timeZone"':
    '時刻 "{text}": {zone} の時計にその 1 時間はありません。オフセットを付けるか、別のタイムゾーンにしてください',
  'time "{text}" {why}': '時刻 "{text}": {why}',
  'the field "timeZone" {zone!} is not a time zone: write one such as {examples}':
    '「{zone}」はタイムゾーンではありません。例: {examples}',
  '{name!} belongs to couplings, and {qid!} is a qubit: write control-target, for example 0-1':
    '{name} はカップリングのもので、{qid} は量子ビットです。0-1（制御-標的）のように書いてください',
  '{name!} belongs to qubits, and {qid!} is a coupling: write one qubit':
    '{name} は量子ビットのもので、{qid} はカップリングです。量子ビットを 1 つ書いてください',
  '{name!} needs a unit: {units}': '{name} には単位が必要です: {units}',
  '"{unit}" is not a unit of {name!}: use {units}':
    '"{unit}" は {name} の単位ではありません。使える単位: {units}',
  '"{unit}" is not a unit of {name!}: it has none':
    '"{unit}" は {name} の単位ではありません。単位はありません',
  '%, or none for a fraction of 1': '%、または 1 に対する割合なら単位なし',
  '{n#} without a unit is not a fraction of 1: write % as the unit of {name!}':
    '単位のない {n} は 1 に対する割合ではありません。{name} の単位に % と書いてください',
  'T2 may be the echo time or the Ramsey time: write t2_echo or t2_star':
    'T2 はエコーかラムゼーか分かりません。t2_echo か t2_star と書いてください',
  'T2 may be the echo time or the Ramsey time: pass the field "parameter" t2_echo or t2_star':
    'T2 はエコーかラムゼーか分かりません。「パラメーター」に t2_echo か t2_star と入力してください',
  '"{name}" cannot be a parameter: use a letter, then letters, digits and _':
    '"{name}" はパラメーターの名前にできません。英字で始まる英数字と _ にしてください',
  '{from} "{text}" names several parameters: pass the field "parameter"':
    '{from}「{text}」に複数のパラメーターがあります。「パラメーター」を入力してください',
  'the columns are qubits, but nothing says what their values are: pass the field "parameter", for example {example}':
    '列は量子ビットですが、何の値か分かりません。「パラメーター」に t1 などと入力してください',
  'no unit of {name!} is given, and none makes all of its values plausible: pass the field "unit", or write it in the heading':
    '{name} の単位の記載がなく、値からも決まりません。「単位」を入力するか、見出しに書いてください',
  'some values of {name!} look like percentages, such as {n#}, and others like fractions of 1: write all alike, or pass the field "unit"':
    '{name} の値に、{n} のようなパーセントと 1 に対する割合が混ざっています。そろえるか、「単位」を入力してください',
  'nothing says the unit of {name!}: pass the field "unit" {unit!}, or write it in the heading':
    '{name} の単位が分かりません。「単位」に {unit} などと入力するか、見出しに書いてください',
  '{from} says {unit!}, but {value} is no {title}: correct it, or pass the field "unit"':
    '{from}では {unit} ですが、{value} は {title} の値ではありえません。直すか、「単位」を入力してください',
  '{from} says an error, but most values are {side!} {half!}, as fidelities are: pass the field "parameter" {a} or the field "parameter" {b!}, whichever is right':
    '{from}ではエラーですが、大半の値は忠実度のように見えます。「パラメーター」に {a} か {b} の正しいほうを入力してください',
  '{from} says a fidelity, but most values are {side!} {half!}, as errors are: pass the field "parameter" {a} or the field "parameter" {b!}, whichever is right':
    '{from}では忠実度ですが、大半の値はエラーのように見えます。「パラメーター」に {a} か {b} の正しいほうを入力してください',
  '"{name}" may be a qubit by row and column or a coupling: pass the field "names" grid or the field "names" pairs':
    '"{name}" は行と列の量子ビットかカップリングか分かりません。「0_6 のような名前」を選んでください',
  'the columns {a} and {b} are both {qid!}: remove one':
    '列 {a} と {b} はどちらも {qid} です。片方を除いてください',
  'the columns {a} are qubits and {b} a parameter: a table has one or the other':
    '列 {a} は量子ビット、{b} はパラメーターです。表にはどちらか一方だけを書いてください',
  'the table names qubits in rows and in the columns {names}: keep one of the two':
    '量子ビットが行にも列（{names}）にもあります。どちらか一方にしてください',
  'the columns {names} both look like the {role!}: rename or remove one of them':
    '列 {names} がどちらも {role} に見えます。片方の名前を変えるか除いてください',
  'no column names the qubit or coupling of a row: name one "qid" (or "qubit", "coupling"), or head a column by each qubit (q0, q1, …); the headings are {names}':
    '行の量子ビットやカップリングを示す列がありません。「qid」（または「qubit」「coupling」）という列にするか、量子ビットごとの列（q0、q1、…）にしてください。見出し: {names}',
  'no column holds values: a long table needs the columns qid, parameter, value, unit and time; a wide one a column per metric, such as "T1 (us)", or per qubit, such as "q0"; the headings are {names}':
    '値の列がありません。縦長の表には qid、parameter、value、unit、time の列が、横長の表には指標ごと（"T1 (us)" など）か量子ビットごと（"q0" など）の列が必要です。見出し: {names}',
  'the field "parameter" and the field "unit" are for tables with a column per qubit; this one says both in its own columns':
    '「パラメーター」と「単位」は、列が量子ビットの表のためのものです。この表には両方の列があります',
  'column {name}: {problem}': '列 {name}: {problem}',
};

/** Values of a parameter: what a line of a report is about. */
const PLACES: Sentences = {
  '{n#} × {what}: {why} ({places})': '{n} × {what}: {why}（{places}）',
  '{n#} × {what}: {why}': '{n} × {what}: {why}',
  '{parameter!} of {qid!}: {why}': '{qid} の {parameter}: {why}',
  '{parameter!} of {qid!}': '{qid} の {parameter}',
  '{title} ({parameter!})': '{title} ({parameter})',
};

/** A problem of a file, behind its name. */
const FILES: Sentences = { '{file~}: {problem}': '{file}: {problem}' };

export const importSentences: Sentences = { ...FILES, ...REPORT, ...PROBLEMS, ...REASONS, ...PLACES };
