import type { Wording } from "../../i18n/wording"
import { audit } from "./bn/audit"
import { common } from "./bn/common"
import { developers } from "./bn/developers"
import { emi } from "./bn/emi"
import { invoices } from "./bn/invoices"
import { overview } from "./bn/overview"
import { payments } from "./bn/payments"
import { payouts } from "./bn/payouts"
import { plans } from "./bn/plans"
import { refunds } from "./bn/refunds"
import { settings } from "./bn/settings"
import { subscriptions } from "./bn/subscriptions"
import type { en } from "./en"

export const bn: Wording<typeof en> = {
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
