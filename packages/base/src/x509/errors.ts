import { WindlassError } from '../errors.ts';

/** What somebody sent is no certificate request that we can read. The message says what is wrong with it. */
export class SigningRequestError extends WindlassError {
  constructor(problem: string, cause?: unknown) {
    super(problem, { code: 'SIGNING_REQUEST_INVALID', cause });
  }
}
