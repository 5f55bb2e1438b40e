import { acquirers, emi } from "./emi"
import { audit } from "./audit"
import { common, receipts } from "./common"
import { developers } from "./developers"
import { disputes, payouts } from "./payouts"
import { invoices, plans, subscriptions } from "./billing"
import { captures, carts } from "./captures"
import { cash } from "./cash"
import { payments } from "./payments"
import { ends } from "./ends"
import { overview } from "./overview"
import { links, refunds } from "./refunds"
import { settings } from "./settings"
import { settlements } from "./settlements"

/** The texts of the admin's pages. */
export const admin = {
  ...common,
  overview,
  payments,
  captures,
  carts,
  cash,
  links,
  receipts,
  refunds,
  disputes,
  emi,
  payouts,
  settlements,
  ends,
  plans,
  subscriptions,
  invoices,
  developers,
  settings,
  acquirers,
  audit,
}
