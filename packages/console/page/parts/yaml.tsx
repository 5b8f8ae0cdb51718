import { memo } from '../memo.ts';
import { yamlTokens } from '../state/yaml-tokens.ts';

export const Yaml = memo(({ text }: { text: string }) => (
  <pre class="yaml" tabIndex={0} aria-label="The object as YAML">
    {yamlTokens(text).map((tokens, at) => (
      <span key={at} class="row">
        {tokens.map((token, position) => (
          <span key={position} class={`y-${token.kind}`}>
            {token.text}
          </span>
        ))}
        {'\n'}
      </span>
    ))}
  </pre>
));
