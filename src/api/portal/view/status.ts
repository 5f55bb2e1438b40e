import type { Language } from "../../../i18n/languages"
import { textsOf } from "../../../i18n/translate"
import { html, type Markup } from "../../../modules/gateway/kernel/html"
import { ICONS } from "../../pay/view/icons"
import { portalDocument, type ShownMerchant } from "./page"
import { siteOf } from "./format"

type Kind = "expired" | "left" | "unknown" | "missing" | "returned"

const MARKS = {
  expired: ICONS.clock,
  left: ICONS.done,
  unknown: ICONS.warning,
  missing: ICONS.warning,
  returned: ICONS.back,
} as const

/**
 * A page that says in a few words why there is nothing to see, with a way out: where to ask for a new link (`way`), the
 * site that the customer came from (`back`), or the overview of a link that works.
 */
export function statusPage(
  kind: Kind,
  input: {
    language: Language
    merchant: ShownMerchant | null
    way: string | null
    back?: string | null
    overview?: string
  }
): Markup {
  const { language, merchant, way, back = null, overview } = input
  const t = textsOf("portal", language)
  const title = kind === "returned" ? t("returned.title") : t(`ended.${kind}Title`)
  const text = kind === "returned" ? t("returned.text") : t(`ended.${kind}`)
  return portalDocument({
    language,
    merchant,
    title,
    path: "",
    body: html`<div class="panel status"><div class="status-mark">${MARKS[kind]}</div>
<h1>${title}</h1>
<p>${text}</p>
${overview !== undefined && html`<a class="button" href="${overview}">${t("overview")}</a>`}
${way !== null && html`<a class="button" href="${way}">${t("ended.newLink")}</a>`}
${back !== null && html`<a class="button quiet" href="${back}" rel="noreferrer">${t("back", { site: siteOf(back) })}</a>`}</div>`,
  })
}
