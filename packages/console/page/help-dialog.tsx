import { useEffect, useRef } from 'preact/hooks';

const KEYS: readonly (readonly [string, string])[] = [
  ['1 – 4', 'the pages Loop, Cluster, Storage and Try'],
  ['/', 'go to the filter; Esc clears it, and then leaves it'],
  ['j k or arrows', 'the next and the previous item of a list'],
  ['Enter', 'open it'],
  ['Esc', 'back from an object or a key'],
  ['?', 'this help'],
];

export function HelpDialog({ canTry, close }: { canTry: boolean; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="help-title">
      <h2 id="help-title">Help</h2>
      <p>
        A change at the API server reaches a controller by its watch. The controller puts the key of the
        object in its queue, and a worker reconciles it: it reads what is, compares it with what should be,
        and writes the difference. The write is a change again, and so the loop closes.
      </p>
      <dl class="keys">
        {KEYS.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>
              {canTry ? text : text.replace('Loop, Cluster, Storage and Try', 'Loop, Cluster and Storage')}
            </dd>
          </div>
        ))}
      </dl>
      <button type="button" class="primary" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
