import { LANGUAGES, type Language } from "../../../i18n/languages"
import { textsOf } from "../../../i18n/translate"
import { contactsOf, logoPath, type MerchantProfile } from "../../../modules/gateway/merchants/profile-rules"
import { brandStyles, PAGE_ICON, PAGE_SCRIPT, PAGE_STYLES } from "../client/assets"
import { html, type Markup, type Renderable } from "../../../modules/gateway/kernel/html"
import { ICONS } from "./icons"

export type TestNotice = { label: string; text: string }

export type Layout = {
  language: Language
  title: string
  /** The merchant's name at the top; null when there is no checkout. */
  merchant: string | null
  /** How that merchant presents itself: logo, colour and contact. */
  profile?: MerchantProfile
  /** The target of the language links: the page's own path, or "" for the current address. */
  path: string
  /** The id of the element that a keyboard user may skip to; null when there is nothing to skip. */
  skipTo: string | null
  /** What the bar over a page of the sandbox says; null: real money, or it is not known whose page it is. */
  test: TestNotice | null
  /** What the details are used for; absent: the usual text. */
  foot?: string
  /** The address of a further stylesheet; absent: the page needs none. */
  styles?: string
  body: Renderable
}

function languageSwitch(current: Language, path: string): Markup {
  const links = LANGUAGES.map((language) => {
    const name = textsOf("pay", language)("languageName")
    return language === current
      ? html`<li><span lang="${language}" aria-current="true">${name}</span></li>`
      : html`<li><a href="${path}?lang=${language}" lang="${language}" hreflang="${language}">${name}</a></li>`
  })
  return html`<nav aria-label="${textsOf("pay", current)("switchLanguage")}"><ul class="languages">${links}</ul></nav>`
}

function masthead({ merchant, profile, language }: Layout): Markup {
  if (merchant === null) {
    return html`<div class="merchant"><span class="avatar">${ICONS.lock}</span>${textsOf("pay", language)("securePayment")}</div>`
  }
  const logo = profile === undefined ? null : logoPath(profile)
  if (logo !== null) {
    // The name is beside it, so the picture needs no text of its own.
    return html`<div class="merchant"><img class="logo" src="${logo}" alt="" decoding="async"><bdi>${merchant}</bdi></div>`
  }
  const initial = [...merchant.trim()][0]?.toUpperCase() ?? ""
  return html`<div class="merchant"><span class="avatar" aria-hidden="true">${initial}</span><bdi>${merchant}</bdi></div>`
}

/** How to reach the merchant; nothing when it has not said. */
function support({ merchant, profile, language }: Layout): Markup | false {
  const contacts = profile === undefined ? [] : contactsOf(profile)
  const links = contacts.map(({ text, href }) => html` <a href="${href}" rel="noreferrer"><bdi>${text}</bdi></a>`)
  return (
    contacts.length > 0 &&
    html`<p class="support"><span>${textsOf("pay", language)("support", { merchant: merchant ?? "" })}${links}</span></p>`
  )
}

/** The whole document: the same head, masthead and foot around every page, errors included. */
export function document(layout: Layout): Markup {
  const t = textsOf("pay", layout.language)
  const color = layout.profile?.brand_color ?? null
  return html`<!doctype html>
<html lang="${layout.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${layout.title}</title>
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
<link rel="icon" href="${PAGE_ICON.url}" type="image/svg+xml">
<link rel="stylesheet" href="${PAGE_STYLES.url}">
${color !== null && html`<link rel="stylesheet" href="${brandStyles(color).url}">`}
${layout.styles !== undefined && html`<link rel="stylesheet" href="${layout.styles}">`}
<script src="${PAGE_SCRIPT.url}" defer></script>
</head>
<body>
${layout.skipTo !== null && html`<a class="skip" href="#${layout.skipTo}">${t("skipToPayment")}</a>`}
${layout.test !== null && html`<aside class="test-bar" aria-label="${layout.test.label}"><strong>${layout.test.label}</strong> ${layout.test.text}</aside>`}
<header class="top">${masthead(layout)}${languageSwitch(layout.language, layout.path)}</header>
<main>
${layout.body}
</main>
<footer class="foot"><p>${ICONS.lock}<span>${layout.foot ?? t("footer")}</span></p>${support(layout)}</footer>
<div id="announcements" class="hidden" aria-live="polite"></div>
</body>
</html>
`
}
