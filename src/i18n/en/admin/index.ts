import { acquirers } from "./acquirers"
import { audit } from "./audit"
import { common } from "./common"
import { developers } from "./developers"
import { disputes } from "./disputes"
import { emi } from "./emi"
import { invoices } from "./invoices"
import { links } from "./links"
import { overview } from "./overview"
import { payments } from "./payments"
import { payouts } from "./payouts"
import { plans } from "./plans"
import { receipts } from "./receipts"
import { refunds } from "./refunds"
import { settings } from "./settings"
import { subscriptions } from "./subscriptions"

/** The texts of the admin's pages. */
export const admin = {
  ...common,
  overview,
  payments,
  links,
  receipts,
  refunds,
  disputes,
  emi,
  payouts,
  plans,
  subscriptions,
  invoices,
  developers,
  settings,
  acquirers,
  audit,
}
