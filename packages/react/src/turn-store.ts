/** What is known of a question and its answer, kept beside the components that show it. */
import { QPilotError, type Asked, type LiveStatus, type QPilot, type Question } from '@qpilot/client';
import {
  answerIn,
  beginAnswer,
  createFrameStore,
  viewAnswer,
  type FrameStore,
  type SessionView,
} from '@qpilot/client/view';

/** A question and its answer. */
export type TurnState = {
  /** What the server took; null until then. As JSON it can be kept, and given back as `resume`. */
  readonly asked: Asked | null;
  /** A question is on its way; {@link asked} is the one before it. */
  readonly isAsking: boolean;
  readonly view: SessionView | null;
  readonly live: LiveStatus;
  /** Why the last question was not taken, or its answer cannot be followed. */
  readonly error: QPilotError | null;
};

/** Holds a {@link TurnState}, and follows the answer while somebody watches. */
export type TurnStore = Pick<FrameStore<TurnState>, 'get' | 'subscribe'> & {
  /** Asks; null if the question was refused, which is then the state's `error`. */
  readonly ask: (question: string | Question) => Promise<Asked | null>;
  /** Asks unless something was asked, or taken up, before. */
  readonly begin: (question: string | Question) => void;
  /** Takes up a question that was asked before; the same one only once. */
  readonly resume: (asked: Asked) => void;
  readonly stop: () => Promise<void>;
  /** Follows until what it returns is called, by all who watch; the next one goes on where it was. */
  readonly watch: () => () => void;
};

const NOTHING: TurnState = { asked: null, isAsking: false, view: null, live: 'connecting', error: null };

/** A client lives as long as its page; so do these. */
const STORES = new WeakMap<QPilot, Map<string, TurnStore>>();

/** The one of a name; a new one has no question yet. */
export function turnNamed(qpilot: QPilot, name: string): TurnStore {
  const stores = STORES.get(qpilot) ?? new Map<string, TurnStore>();
  STORES.set(qpilot, stores);
  const store = stores.get(name) ?? createTurnStore(qpilot);
  stores.set(name, store);
  return store;
}

function createTurnStore(qpilot: QPilot): TurnStore {
  const { get, peek, subscribe, update } = createFrameStore(NOTHING);
  let watchers = 0;
  let asking = 0;
  let resumedId: string | null = null;
  let following: AbortController | null = null;

  const change = (part: Partial<TurnState>): void => update((state) => ({ ...state, ...part }));
  const fail = (error: unknown): null => {
    if (!(error instanceof QPilotError)) throw error;
    change({ error });
    return null;
  };

  const follow = (): void => {
    following?.abort();
    following = null;
    const { asked, view } = peek();
    if (watchers === 0 || asked === null) return;
    const { signal } = (following = new AbortController());
    const readAll = async (): Promise<void> => {
      const views = viewAnswer(qpilot, asked, {
        ...(view && { view }),
        signal,
        patienceMs: Infinity,
        onStatus: (live) => change({ live }),
      });
      for await (const newer of views) change({ view: newer });
    };
    readAll().catch(fail);
  };

  const show = (asked: Asked): void => {
    if (asked.turnId === peek().asked?.turnId) return;
    change({ asked, view: beginAnswer(asked), live: 'connecting', error: null });
    follow();
  };

  const ask = async (question: string | Question): Promise<Asked | null> => {
    const given = typeof question === 'string' ? { content: question } : question;
    const sessionId = peek().asked?.sessionId;
    const number = (asking += 1);
    change({ isAsking: true, error: null });
    try {
      const asked = await qpilot.ask({ ...(sessionId !== undefined && { sessionId }), ...given });
      if (number === asking) show(asked);
      return asked;
    } catch (error) {
      return fail(error);
    } finally {
      if (number === asking) change({ isAsking: false });
    }
  };

  return {
    get,
    subscribe,
    ask,
    begin(question) {
      const { asked, isAsking, error } = peek();
      if (asked === null && !isAsking && error === null) void ask(question);
    },
    resume(asked) {
      if (asked.turnId === resumedId) return;
      resumedId = asked.turnId;
      show(asked);
    },
    async stop() {
      const { asked, view } = peek();
      if (asked === null) return;
      const turnId = (view && answerIn(view, asked))?.id ?? asked.turnId;
      await qpilot.cancel(turnId).catch(fail);
    },
    watch() {
      watchers += 1;
      if (watchers === 1) follow();
      return () => {
        watchers -= 1;
        if (watchers === 0) follow();
      };
    },
  };
}
