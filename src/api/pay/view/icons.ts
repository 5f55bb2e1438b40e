import { html, type Markup } from "../../../modules/gateway/kernel/html"

/** Our own line icons, decorative only: the text beside them carries the meaning. */
function icon(paths: Markup): Markup {
  return html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${paths}</svg>`
}

export const ICONS = {
  lock: icon(html`<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>`),
  clock: icon(html`<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>`),
  card: icon(html`<rect x="3" y="5" width="18" height="14" rx="2.5"/><path d="M3 10h18M7 15h3"/>`),
  mobile_banking: icon(html`<rect x="7" y="3" width="10" height="18" rx="2.5"/><path d="M11 18h2"/>`),
  internet_banking: icon(html`<path d="M4 10h16L12 4zM6 10v7m4-7v7m4-7v7m4-7v7M4 20h16"/>`),
  wallet: icon(html`<path d="M4 7v11a2 2 0 0 0 2 2h14V9H6a2 2 0 0 1 0-4h12v4"/><path d="M16 14.5h.01"/>`),
  done: icon(html`<path d="m5 12.5 4.5 4.5L19 7.5"/>`),
  cross: icon(html`<path d="m7 7 10 10M17 7 7 17"/>`),
  back: icon(html`<path d="M9 6 4 11l5 5M4 11h11a5 5 0 0 1 0 10h-2"/>`),
  renew: icon(html`<path d="M4 12a8 8 0 0 1 14-5.3L20 9M20 4v5h-5M20 12a8 8 0 0 1-14 5.3L4 15M4 20v-5h5"/>`),
  warning: icon(html`<path d="M12 4 3 19.5h18zM12 10v4m0 3h.01"/>`),
} as const
