import { Component, type ComponentChildren, type FunctionComponent } from 'preact';

/** Renders again only when one of its properties is another one. */
export function memo<P extends object>(render: (props: P) => ComponentChildren): FunctionComponent<P> {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return differs(this.props, next);
    }

    override render(props: P): ComponentChildren {
      return render(props);
    }
  }
  // Preact takes a class wherever it takes a function; its types keep them apart.
  return Memo as unknown as FunctionComponent<P>;
}

function differs(a: object, b: object): boolean {
  const before = Object.entries(a);
  // Both are properties of the same component.
  const after = b as Readonly<Record<string, unknown>>;
  return (
    before.length !== Object.keys(b).length || before.some(([name, value]) => !Object.is(value, after[name]))
  );
}
