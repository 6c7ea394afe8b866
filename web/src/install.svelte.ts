/** Installing the client as an app. */
import { device } from './storage.svelte.ts';

/** Chromium's offer to install the app; it is in no standard, and other browsers have none. */
interface InstallOffer extends Event {
  prompt: () => Promise<unknown>;
}

let offer = $state.raw<InstallOffer | null>(null);

addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault(); // home shows a hint instead
  offer = event as InstallOffer;
});
addEventListener('appinstalled', () => (offer = null));

/** Whether the app can be installed with a tap, and the player has not declined that. */
export const canInstall = (): boolean => offer !== null && !device.installDeclined;

export async function install(): Promise<void> {
  const accepted = offer;
  offer = null; // it can be used once
  await accepted?.prompt().catch(() => undefined);
}

/** Whether this is a browser on iOS and not the installed app: there the user installs it from the browser's menu. */
export const isBrowserOnIos = (): boolean => 'standalone' in navigator && !navigator.standalone;
