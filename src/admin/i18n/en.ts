import { audit } from "./en/audit"
import { common } from "./en/common"
import { developers } from "./en/developers"
import { emi } from "./en/emi"
import { payments } from "./en/payments"
import { payouts } from "./en/payouts"
import { refunds } from "./en/refunds"
import { settings } from "./en/settings"

export const en = { ...common, payments, refunds, emi, payouts, developers, settings, audit }
