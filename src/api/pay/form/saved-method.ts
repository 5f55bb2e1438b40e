import type { CheckoutPage } from "../../../modules/gateway/checkout/page"
import type { PaymentMethod } from "../../../modules/gateway/merchants/payment-services"
import type { PayWith } from "../../../modules/gateway/payments/choosing"
import { readInstrument } from "./instrument"
import { type FormFields, type Problem } from "./fields"

type ReadWay = { way: PayWith; problems: readonly [] } | { way: null; problems: readonly Problem[] }

const SAVED = "saved_"

/** The posted value of `method` for a saved one. */
export const savedValue = (id: string): string => `${SAVED}${id}`

/** The checkbox by which the shopper agrees; each method has its own, because it says what is saved. */
export const saveField = (kind: PaymentMethod): string => `save_${kind}`

/** What the shopper pays with: a saved method, or what was entered. With problems no payment is attempted. */
export function readWay(page: CheckoutPage, fields: FormFields): ReadWay {
  const posted = fields.get("method") ?? ""
  if (posted.startsWith(SAVED)) {
    const saved = page.account?.methods.find(({ id }) => savedValue(id) === posted)
    return saved === undefined
      ? { way: null, problems: [{ field: "method", problem: "saved_gone" }] }
      : { way: { saved_method: saved.id }, problems: [] }
  }
  const { instrument, problems } = readInstrument(page, fields)
  if (instrument === null) {
    return { way: null, problems }
  }
  const agreed = page.account !== null && fields.get(saveField(instrument.method)) === "yes"
  return { way: agreed ? { instrument, save: true } : { instrument }, problems: [] }
}
