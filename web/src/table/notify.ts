/** Tells a person whose page is in the background that the table waits for them. Nothing is sent over the network. */

/** Show a notification; the returned function takes it away. */
export function notify(title: string, body: string, tag: string): () => void {
  const options = { body, tag, icon: new URL('icon-192.png', document.baseURI).href };
  try {
    const shown = new Notification(title, options);
    shown.onclick = () => {
      focus();
      shown.close();
    };
    return () => shown.close();
  } catch {
    // On Android only the service worker can show one; it also handles the tap.
    const registered = navigator.serviceWorker?.getRegistration();
    void registered?.then((worker) => worker?.showNotification(title, options)).catch(() => undefined);
    return () => void registered?.then(async (worker) => (await worker?.getNotifications({ tag }))?.forEach((one) => one.close()));
  }
}
