import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { TryRequest } from '../../src/protocol.ts';
import type { Do } from './do.ts';

interface Props {
  readonly title: string;
  /** What one will see, in one sentence. */
  readonly what: string;
  readonly button: string;
  readonly doIt: Do;
  /** Undefined while something is missing. */
  readonly request: TryRequest | undefined;
  readonly children: ComponentChildren;
}

/** One thing to try. */
export function TryForm({ title, what, button, doIt, request, children }: Props) {
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (request === undefined || isBusy) return;
    setBusy(true);
    await doIt(request);
    setBusy(false);
  };
  return (
    <form class="card" onSubmit={(event) => void submit(event)} data-try={request?.action}>
      <h2>{title}</h2>
      <p>{what}</p>
      <div class="fields">
        {children}
        <button type="submit" class="primary" disabled={request === undefined || isBusy}>
          {isBusy ? 'Working' : button}
        </button>
      </div>
    </form>
  );
}

interface NumberProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly change: (value: number) => void;
}

export function NumberField({ label, value, min, max, change }: NumberProps) {
  return (
    <label>
      {label}
      <input
        type="number"
        value={value}
        min={min}
        max={max}
        required
        onInput={(event) => {
          const next = event.currentTarget.valueAsNumber;
          if (Number.isInteger(next)) change(next);
        }}
      />
    </label>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  /** Value and text. */
  readonly choices: readonly (readonly [string, string])[];
  readonly change: (value: string) => void;
}

export function ChoiceField({ label, value, choices, change }: ChoiceProps) {
  return (
    <label class="grows">
      {label}
      <select value={value} onChange={(event) => change(event.currentTarget.value)}>
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
