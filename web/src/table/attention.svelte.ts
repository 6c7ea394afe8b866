/** Tells the people at this device that the table waits for them: in the title, by a tone, and with a notification while they look elsewhere. */
import { untrack } from 'svelte';
import { t } from '../i18n.svelte.ts';
import { loadOptional } from '../preload.ts';
import { device } from '../storage.svelte.ts';
import { play } from './sound.ts';

interface Attention {
  game: string;
  table: string;
  /** The turn of a player here, 0 in those of others. */
  ownTurn: number;
  /** The moment in which somebody here has to decide; empty if nobody has. */
  asked: string;
}

export function callAttention(attention: () => Attention): void {
  const game = $derived(attention().game);
  const ownTurn = $derived(attention().ownTurn);
  const asked = $derived(attention().asked);

  $effect(() => {
    document.title = `${asked ? '● ' : ''}${game} · Rowlock`;
  });

  let lastTurn = untrack(() => ownTurn);
  $effect(() => {
    if (ownTurn && ownTurn !== lastTurn) void play('turn');
    lastTurn = ownTurn || lastTurn;
  });

  $effect(() => {
    if (!asked || !document.hidden || !device.preferences.notify) return;
    const shown = untrack(() => loadOptional(() => import('./notify.ts')).then((loaded) => loaded?.notify(t('notify.your-turn'), game, attention().table)));
    const close = (): void => void shown.then((take) => take?.());
    document.addEventListener('visibilitychange', close);
    return () => {
      document.removeEventListener('visibilitychange', close);
      close();
    };
  });
}
