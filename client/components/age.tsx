import { useEffect, useState } from 'react';
import { serverNowMs } from '../lib/server-clock.ts';
import { useFormat, useWords } from '../lib/i18n/i18n.tsx';

const TICK_MS = 30_000;
/** Shorter ages are shown as "just now": seconds would be wrong until the next tick. */
const JUST_NOW = 60;

/** How long ago a moment was, updated while it is shown; the tooltip has the exact time. */
export function Age({ at }: { readonly at: string }) {
  const { common } = useWords();
  const format = useFormat();
  const [nowMs, setNow] = useState(serverNowMs);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNowMs()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, (nowMs - Date.parse(at)) / 1000);
  return (
    <time dateTime={at} title={format.time(at)}>
      {seconds < JUST_NOW ? common.justNow : common.ago(format.duration(seconds))}
    </time>
  );
}
