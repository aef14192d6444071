/** Finds what in a job's texts the rules do not understand or support, so that the report can state it. */
import { writtenLanguage } from '../../domain/text/language.ts';
import { isKnownWord } from '../../domain/questions/lexicon.ts';
import type { Clause } from './clause.ts';
import lines from './usual-words.json' with { type: 'json' };

/** Words of requests for the usual work, which need no step of their own. */
const USUAL_WORDS: ReadonlySet<string> = new Set(lines.flatMap((line) => line.split(' ')));

/** Known words that ask for something that no step does. */
const UNSUPPORTED =
  /\b(?:fit(?:s|ted|ting)?|simulat\w*|predict\w*|forecast\w*|extrapolat\w*|optimi[sz]e\w*|e-?mails?|send|translate\w*|pdf|slides?|recalibrate|re-?run|delete|reset|overwrite|compare with)\b|フィット|シミュレーション|予測|最適化|メール|送信|翻訳|PDF|スライド/iu;

const USUAL_JAPANESE =
  /レポート|報告|調べ|調査|見て|まとめ|計画|確認|説明|教えて|書いて|作成|作って|分析|解析|お願い|ください|下さい|チップ|量子ビット|校正|較正|キャリブレーション|測定|明日|重要|大事|原因|理由|なぜ|悪化|低下|変化|日本語|英語|よろしく/u;

/** Longest quotation. */
const QUOTED = 120;

/** The clauses, or words of clauses, that are not understood or supported, as written. */
export function unsupportedIn(
  clauses: readonly { readonly words: string; readonly read: Clause }[],
): readonly string[] {
  return clauses.flatMap(({ words, read }) => {
    if (UNSUPPORTED.test(words)) return [words.slice(0, QUOTED)];
    if (writtenLanguage(words) === 'ja') {
      return namesSomething(read) || USUAL_JAPANESE.test(words) ? [] : [words.slice(0, QUOTED)];
    }
    const strange = read.unknown.filter((word) => !isNamed(word, read) && !isKnown(word));
    if (strange.length > 0 && !namesSomething(read)) return [words.slice(0, QUOTED)];
    if (strange.length > 0) return strange;
    return namesSomething(read) || isUsual(words) ? [] : [words.slice(0, QUOTED)];
  });
}

const isNamed = (word: string, { chipId }: Clause): boolean => word.toLowerCase() === chipId?.toLowerCase();
const isKnown = (word: string): boolean => USUAL_WORDS.has(word.toLowerCase()) || isKnownWord(word);

const namesSomething = (clause: Clause): boolean =>
  clause.metrics.length + clause.qids.length + clause.steps.length > 0 ||
  clause.windowHours !== null ||
  clause.chipId !== null ||
  clause.wantsReview;

const isUsual = (words: string): boolean =>
  (words.match(/[a-z']+/giu) ?? []).every((word) =>
    USUAL_WORDS.has(word.toLowerCase().replace(/'\w*$/u, '')),
  );
