import type { Wording } from "./wording"
import { audit } from "./bn/audit"
import { common } from "./bn/common"
import { developers } from "./bn/developers"
import { emi } from "./bn/emi"
import { payments } from "./bn/payments"
import { payouts } from "./bn/payouts"
import { refunds } from "./bn/refunds"
import { settings } from "./bn/settings"
import type { en } from "./en"

export const bn: Wording<typeof en> = { ...common, payments, refunds, emi, payouts, developers, settings, audit }
