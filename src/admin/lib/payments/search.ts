import { defineSearchEntity, type SearchEntityDefinition } from "@medusajs/dashboard/lib"
import { getI18n } from "react-i18next"
import { moneyText } from "../format"
import type { Status } from "./types"
import { localeOf, NAMESPACE, type TextKey } from "../text"

/** What src/api/admin-kit/global-search.ts adds to the answer of /admin/search. */
type Found = {
  id: string
  merchant_id: string
  merchant_name: string
  environment: "sandbox" | "production"
  order_number: string
  status: Status
  currency: string
  amount: string
  customer: { name: string }
}

/** Read when it is shown: the admin's language may have changed since this file was loaded. */
const say = (key: TextKey) => String(getI18n().t(key, { ns: NAMESPACE }))

const PAYMENTS: SearchEntityDefinition<Found> = {
  groupLabel: () => say("payments.title"),
  shortcut: { keys: { Mac: ["G", "Y"] }, label: () => say("payments.go_to"), to: "/gateway/payments" },
  transform: ({ id, merchant_id, merchant_name, environment, order_number, status, currency, amount, customer }) => ({
    id,
    title: `${order_number} · ${moneyText(amount, currency, localeOf(getI18n().language))}`,
    subtitle: [
      say(`payments.statuses.${status}`),
      customer.name,
      merchant_name,
      environment === "sandbox" ? say("payments.found_in_sandbox") : "",
    ]
      .filter(Boolean)
      .join(" · "),
    to: `/gateway/payments/${id}?merchant_id=${merchant_id}&environment=${environment}`,
    value: `gateway_payment:${id}`,
  }),
}

/**
 * Payments in Medusa's search (⌘K), with the way to their list among its commands. Who may not read them finds neither,
 * and Medusa's search does not ask for them: an entity without `transform` is none that it can search.
 */
export function definePaymentSearch(mayRead: boolean): void {
  defineSearchEntity<Found>("gateway_payment", mayRead ? PAYMENTS : {})
}
