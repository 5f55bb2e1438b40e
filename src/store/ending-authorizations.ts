import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { localDateTime, money } from "../i18n/formats"
import { textsOf } from "../i18n/translate"
import { gatewayIn } from "../modules/gateway"
import { DUE_WORK, DueWork } from "../modules/gateway/kernel/database/due-work"
import { formatAmount } from "../modules/gateway/kernel/money/money"
import { html } from "../modules/gateway/kernel/text/html"
import type { EndingAuthorization } from "../modules/gateway/payments/captures/warnings"
import type { OutgoingMail } from "../modules/gateway/store-port"
import { sendMail } from "./notifications"

const AUTHORIZATION_ENDING = "gateway-authorization-ending"

/** Warns merchants of reserved money that they lose soon; the admin's overview shows it in any case. */
export async function warnOfEndingAuthorizations(scope: MedusaContainer, stop?: AbortSignal): Promise<void> {
  const { captureWarnings } = gatewayIn(scope)
  const logger = scope.resolve(ContainerRegistrationKeys.LOGGER)
  const due = new DueWork<EndingAuthorization>(logger, DUE_WORK.endingAuthorizationMail, {
    id: ({ transaction_id }) => transaction_id,
    claim: (limit, lease) => captureWarnings.claim(limit, lease),
    work: async (ending) => {
      const { id, transaction_id, email } = ending
      if (email === null) {
        logger.warn(`gateway: money reserved for ${transaction_id} ends soon; its merchant has no e-mail address`)
      } else {
        await sendMail(scope, endingMail(scope, { ...ending, email }))
      }
      await captureWarnings.markWarned(id)
    },
  })
  await due.run({ stop })
}

function endingMail(scope: MedusaContainer, ending: EndingAuthorization & { email: string }): OutgoingMail {
  const { id, transaction_id, order_number, currency, amount_minor, left_minor, capture_before } = ending
  const language = gatewayIn(scope).options.mailLanguage
  const words = textsOf("mails", language)
  const said = {
    order: order_number,
    merchant: ending.merchant_name,
    transaction: transaction_id,
    amount: money(left_minor, currency, language),
    time: localDateTime(capture_before, language, ending.time_zone),
    zone: ending.time_zone,
  }
  const subject = words("ending.subject", said)
  const lines = [
    words("ending.text", said),
    words("ending.action", said),
    ...(ending.environment === "sandbox" ? [words("ending.test")] : []),
  ]
  return {
    occasion: `${AUTHORIZATION_ENDING}:${id}`,
    template: AUTHORIZATION_ENDING,
    to: ending.email,
    subject,
    text: `${lines.join("\n\n")}\n`,
    html: html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${subject}</title></head>
<body>${lines.map((line) => html`<p>${line}</p>`)}</body></html>
`.text,
    data: {
      transaction_id,
      order_number,
      amount: formatAmount(amount_minor),
      capturable_amount: formatAmount(left_minor),
      currency,
      capture_before: capture_before.toISOString(),
      environment: ending.environment,
      merchant_name: ending.merchant_name,
    },
    resource: { id: transaction_id, type: "gateway_transaction" },
  }
}
