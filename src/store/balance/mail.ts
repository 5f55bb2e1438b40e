import type { MedusaContainer } from "@medusajs/framework/types"
import type { Language } from "../../i18n/languages"
import { money } from "../../i18n/formats"
import { messageOf, said } from "../../i18n/message"
import { textsOf } from "../../i18n/translate"
import { gatewayIn } from "../../modules/gateway"
import type { By } from "../../modules/gateway/kernel/database/audit"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { formatAmount } from "../../modules/gateway/kernel/money/money"
import { html, MAIL_MUTED, mailButton, mailOpening, mailPage, oneLine } from "../../modules/gateway/kernel/text/html"
import { shopName } from "../../modules/gateway/merchants/profile-rules"
import { linkUrl } from "../../modules/gateway/links/rules"
import type { PaymentLink } from "../../modules/gateway/links/records"
import { publicUrlOf } from "../../providers/gateway-payment/store"
import { sendMail } from "../notifications"
import { collectBalance, languageOf } from "./collect"
import { numberOf, readBalance } from "./outstanding"

const TEMPLATE = "gateway-order-balance"
const ACCENT = "#00634a"

/**
 * Sends the shopper the address at which the order's balance is paid; the link is made when there is none. `key`: the same
 * for every try of one request, so that it is sent once. Errors: those of `collectBalance`; INVALID_STATE_TRANSITION when
 * the order has no e-mail address; SERVICE_UNAVAILABLE when no notification provider takes it.
 */
export async function mailBalance(
  container: MedusaContainer,
  order_id: string,
  { key, ...by }: By & { key: string }
): Promise<PaymentLink> {
  const gateway = gatewayIn(container)
  const link = await collectBalance(container, order_id, by)
  const order = (await readBalance(container, order_id))?.order
  if (!order?.email) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.balance_no_email"))
  }
  const { name, profile } = await gateway.merchants.storeMerchant(gateway.options.storeMerchantName)
  const language = languageOf(container, order)
  const mail = balanceMail({
    merchant: shopName(name, profile, language),
    language,
    number: numberOf(order),
    name: link.customer?.name ?? null,
    amount_minor: link.amount_minor ?? 0,
    currency: link.currency,
    url: linkUrl(publicUrlOf(gateway), link.token),
    isTest: link.environment === "sandbox",
  })
  try {
    await sendMail(container, {
      occasion: `${TEMPLATE}:${link.id}:${key}`,
      template: TEMPLATE,
      to: order.email,
      ...mail.content,
      data: mail.data,
      resource: { id: link.id, type: "gateway_payment_link" },
    })
  } catch (error) {
    const why = said((error as Error).message)
    throw new GatewayError("SERVICE_UNAVAILABLE", messageOf("refusal.balance_mail_failed", { why }), { cause: error })
  }
  return link
}

type BalanceMail = {
  merchant: string
  language: Language
  number: string
  /** Null: nobody has said who pays. */
  name: string | null
  amount_minor: number
  currency: string
  url: string
  isTest: boolean
}

function balanceMail({ merchant, language, number, name, amount_minor, currency, url, isTest }: BalanceMail) {
  const l = textsOf("link", language)
  const amount = money(amount_minor, currency, language)
  const title = l("mail.subject", { merchant: oneLine(merchant), number, amount })
  const subject = isTest ? `[${textsOf("pay", language)("testMode")}] ${title}` : title
  const greeting = name === null ? l("mail.greetingAnyone") : l("mail.greeting", { name })
  const [intro, note] = [l("mail.intro", { number, amount }), l("mail.note")]
  const rows = html`${mailOpening(merchant, [greeting, intro])}
<tr><td style="padding:10px 28px 0">${mailButton(url, l("mail.open", { amount }), ACCENT)}</td></tr>
<tr><td style="padding:20px 28px 24px;font-size:13px;line-height:1.6;color:${MAIL_MUTED};overflow-wrap:anywhere">${note}<br><br>${url}</td></tr>`
  const content = {
    subject,
    html: mailPage(language, subject, rows).text,
    text: `${[greeting, intro, url, note].join("\n\n")}\n`,
  }
  const data = {
    merchant_name: merchant,
    order_number: number,
    amount: formatAmount(amount_minor),
    currency,
    url,
    language,
  }
  return { content, data }
}
