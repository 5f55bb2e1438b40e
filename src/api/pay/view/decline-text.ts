import type { Language } from "../../../i18n/languages"
import { textGroup, textsOf } from "../../../i18n/translate"
import type { CheckoutPage } from "../../../modules/gateway/checkout/page"

/**
 * Why the last attempt was declined, by its code; undefined for a code without a text. CARD_DECLINED is also the code of
 * a wallet or an account that was declined without a reason: those are no cards.
 */
export function declineText(page: CheckoutPage, code: string, language: Language): string | undefined {
  const isOtherThanCard = page.preselected !== null && page.preselected.kind !== "card"
  return code === "CARD_DECLINED" && isOtherThanCard
    ? textsOf("pay", language)("declinedOtherwise")
    : textGroup("pay", "declines", language)[code]
}
