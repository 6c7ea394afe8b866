/** Invite links: `t/ABC234#…`. The secret is in the fragment, which browsers do not send to the server. */
import { tablePath } from './pages.ts';

/** The path of the page of a table, with the secret if there is one: tables of protocol 1 have none. */
export const invitePath = (table: string, invite: string | null | undefined): string => tablePath(table) + (invite ? `#${invite}` : '');

/** The invite secret in the fragment of an address; handover codes (`#take=…`) and headings have other forms. */
export const inviteIn = (fragment: string): string | null => /^#([\w-]{16,})$/.exec(fragment)?.[1] ?? null;
