/** Finds what fixed rules could not follow in the words of a job, so that its report can say so. */
import { writtenLanguage } from '../../domain/text/written-language.ts';
import { isKnownWord } from '../../domain/questions/lexicon.ts';
import type { Clause } from './clause.ts';

/** What asks for the usual work in other words, and needs no following. */
const USUAL =
  'skip drop remove omit exclude excluding ignore instead plus everything anything look looking say tell what which matters matter write writing wrote report reports reporting summary find finding finds investigate investigation ' +
  'explain explanation calibration calibrations calibrate plan planning plans prepare make analyse analyze analysis check checks review reviewing see job ' +
  'chip qubit qubits couplings coupling value values data tomorrow next week day days today please do it well well careful carefully thorough ' +
  'thoroughly why falls fall fell falling drop drops dropped worse worst best better change changed changes changing drift drifts drifted drifting cause ' +
  'causes reason reasons behind since until before after what happened happens serious most main important attention needs need measure measured ' +
  'measuring measurement measurements again order propose proposed only just nothing focus on limit section sections part parts report add ' +
  'include leave out without except also let me first want like would could can you the a an and or of in for to with by at from this that these those is ' +
  'are was were be been has have had its their my our we i they them there here all any each every some one two three four five six seven eight nine ten ' +
  'last past previous recent month months hours hour recommendation recommendations recommend current state status health shift team people readers ' +
  'brief briefly short concise english japanese about as if not no how good bad stand stands standing up down over';

const USUAL_WORDS: ReadonlySet<string> = new Set(USUAL.split(' '));

/** What is known as a word and yet asks for what no step does. */
const BEYOND =
  /\b(?:fit(?:s|ted|ting)?|simulat\w*|predict\w*|forecast\w*|extrapolat\w*|optimi[sz]e\w*|e-?mails?|send|translate\w*|pdf|slides?|recalibrate|re-?run|delete|reset|overwrite|compare with)\b|フィット|シミュレーション|予測|最適化|メール|送信|翻訳|PDF|スライド/iu;

const USUAL_JAPANESE =
  /レポート|報告|調べ|調査|見て|まとめ|計画|確認|説明|教えて|書いて|作成|作って|分析|解析|お願い|ください|下さい|チップ|量子ビット|校正|較正|キャリブレーション|測定|明日|重要|大事|原因|理由|なぜ|悪化|低下|変化|日本語|英語|よろしく/u;

/** Longest quotation; more of it helps nobody. */
const QUOTED = 120;

/** The clauses, or the words of a clause, that could not be followed; as written. */
export function unfollowedIn(
  clauses: readonly { readonly words: string; readonly read: Clause }[],
): readonly string[] {
  return clauses.flatMap(({ words, read }) => {
    if (BEYOND.test(words)) return [words.slice(0, QUOTED)];
    if (writtenLanguage(words) === 'ja') {
      return saysSomething(read) || USUAL_JAPANESE.test(words) ? [] : [words.slice(0, QUOTED)];
    }
    const strange = read.unknown.filter((word) => !isNamed(word, read) && !isKnown(word));
    if (strange.length > 0 && !saysSomething(read)) return [words.slice(0, QUOTED)];
    if (strange.length > 0) return strange;
    return saysSomething(read) || isUsual(words) ? [] : [words.slice(0, QUOTED)];
  });
}

const isNamed = (word: string, { chipId }: Clause): boolean => word.toLowerCase() === chipId?.toLowerCase();
const isKnown = (word: string): boolean => USUAL_WORDS.has(word.toLowerCase()) || isKnownWord(word);

const saysSomething = (clause: Clause): boolean =>
  clause.metrics.length + clause.qids.length + clause.steps.length > 0 ||
  clause.windowHours !== null ||
  clause.chipId !== null ||
  clause.wantsReview;

const isUsual = (words: string): boolean =>
  (words.match(/[a-z']+/giu) ?? []).every((word) =>
    USUAL_WORDS.has(word.toLowerCase().replace(/'\w*$/u, '')),
  );
