import { audit } from "./en/audit"
import { common } from "./en/common"
import { developers } from "./en/developers"
import { emi } from "./en/emi"
import { invoices } from "./en/invoices"
import { overview } from "./en/overview"
import { payments } from "./en/payments"
import { payouts } from "./en/payouts"
import { plans } from "./en/plans"
import { refunds } from "./en/refunds"
import { settings } from "./en/settings"
import { subscriptions } from "./en/subscriptions"

export const en = {
  ...common,
  overview,
  payments,
  refunds,
  emi,
  payouts,
  plans,
  subscriptions,
  invoices,
  developers,
  settings,
  audit,
}
