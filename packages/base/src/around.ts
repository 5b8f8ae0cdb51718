/** Something that holds while other code runs, as a tracing context does. It calls the body once, and returns what that returns. */
export type Around = <R>(body: () => R) => R;

/** Both of them, `inner` within `outer`. */
export function nested(outer: Around | undefined, inner: Around): Around {
  return outer === undefined ? inner : (body) => outer(() => inner(body));
}
