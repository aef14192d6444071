import { useCallback, useEffect, useState } from 'react';
import { callAuth, type AuthError } from './auth.ts';

/** What a path below `/auth` answers; null until it has. */
export function useAuth<Answer>(path: string) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [error, setError] = useState<AuthError | null>(null);
  const again = useCallback(() => {
    callAuth<Answer>(path).then(
      (found) => {
        setAnswer(() => found);
        setError(null);
      },
      (failure: AuthError) => setError(failure),
    );
  }, [path]);
  useEffect(again, [again]);
  return { answer, error, again };
}

/** An action below `/auth` that somebody starts: whether it is on its way, and why the last try failed. */
export function useAuthAction() {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<AuthError | null>(null);
  const run = (work: () => Promise<void>): void => {
    setBusy(true);
    setError(null);
    work()
      .catch((failure: AuthError) => setError(failure))
      .finally(() => setBusy(false));
  };
  return { isBusy, error, run };
}
