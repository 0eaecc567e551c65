/**
 * Token form: a workbench that is bound beyond this machine wants its control token. It becomes a cookie,
 * because neither pictures nor the event feed could carry it any other way.
 */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

export function TokenForm(): JSX.Element {
  const [token, setToken] = useState('');
  const enter = (event: Event): void => {
    event.preventDefault();
    document.cookie = `platen-control-token=${token.trim()}; path=/_platen; samesite=strict`;
    location.reload();
  };
  return (
    <form class="empty token" onSubmit={enter}>
      <h2>This workbench wants its control token</h2>
      <p>It can be reached from other machines. `platen start` printed the token when it began.</p>
      <label>
        Control token
        <input
          type="password"
          autocomplete="off"
          value={token}
          onInput={({ currentTarget }) => setToken(currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary" disabled={!/^[\w-]+$/.test(token.trim())}>
        Enter
      </button>
    </form>
  );
}
