/** Keep the screen on, where the browser allows it, until the returned function is called. */
export function keepScreenAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let released = false;

  async function acquire(): Promise<void> {
    if (released || document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
    lock = await navigator.wakeLock.request('screen').catch(() => null);
    if (released) void lock?.release();
  }

  void acquire();
  document.addEventListener('visibilitychange', acquire);
  return () => {
    released = true;
    document.removeEventListener('visibilitychange', acquire);
    void lock?.release();
  };
}
