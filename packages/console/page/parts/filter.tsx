interface Props {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
}

export function Filter({ label, value, change }: Props) {
  return (
    <input
      type="search"
      class="filter"
      placeholder={`${label}  /`}
      aria-label={label}
      value={value}
      onInput={(event) => change(event.currentTarget.value)}
    />
  );
}
