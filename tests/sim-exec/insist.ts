import { isInternalError } from '@windlass/apimachinery';
import type { User } from '@windlass/simulation';

/** As people do: again, while the operator is down and its webhooks cannot be asked. */
export async function insist<T>({ until }: User, what: string, act: () => Promise<T>): Promise<void> {
  await until(what, async () => {
    try {
      await act();
      return true;
    } catch (error) {
      if (isInternalError(error)) return false;
      throw error;
    }
  });
}
