import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { languageOfTag } from "../../i18n/languages"
import { messageOf } from "../../i18n/message"
import { textsOf } from "../../i18n/translate"
import { gatewayIn } from "../../modules/gateway"
import type { CodeFor } from "../../modules/gateway/cash/codes"
import { CODE_MINUTES } from "../../modules/gateway/cash/rules"
import { fault, GatewayError, validationError, wordlessOf } from "../../modules/gateway/kernel/errors"
import { LIMITS } from "../../modules/gateway/kernel/limits"
import { maskedPhone } from "../../modules/gateway/kernel/text/phone"
import { shopName } from "../../modules/gateway/merchants/profile-rules"
import { shopperOf, storeScope } from "../../providers/gateway-cod/amounts"
import { openCart } from "../../providers/gateway-payment/cart"

const CHANNEL = "sms"
const TEMPLATE = "gateway-cash-code"

/** Medusa's notification module does not say which channels it has: its own service of providers knows. */
type Providers = {
  notificationProviderService_?: { getProviderForChannels?(channels: string[]): Promise<readonly unknown[]> }
}

/** Throws VALIDATION_ERROR for `phone_code` when the store has no notification provider for SMS. */
export async function requireSms(container: MedusaContainer): Promise<void> {
  const { notificationProviderService_: providers } = container.resolve(Modules.NOTIFICATION) as unknown as Providers
  // Another notification module than Medusa's cannot be asked; then sending says what is missing.
  const found = await providers?.getProviderForChannels?.([CHANNEL])
  if (found?.length === 0) {
    throw validationError([fault("phone_code", messageOf("rule.sms_provider"))])
  }
}

/**
 * Sends a code to the phone of a cart that is about to be paid in cash. The code is in the message's text alone: Medusa
 * keeps a notification's `data`, and not its content. Errors: INVALID_REQUEST (no open cart), INVALID_PHONE,
 * INVALID_STATE_TRANSITION (no code is needed), RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE (it could not be sent).
 */
export async function sendCashCode(
  container: MedusaContainer,
  cart_id: string
): Promise<{ sent_to: string; expires_in: number; left: number | null }> {
  const { of, language } = await cartOf(container, cart_id)
  const { cashCodes, cashOrders, merchants } = gatewayIn(container)
  const order = await cashOrders.placingOfCart(cart_id)
  if (order === null || !(await cashCodes.isNeeded({ ...order, phone: of.phone }))) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.cash_code_none"))
  }
  const { name: trade, profile } = await merchants.retrieve(of.merchant_id)
  const name = shopName(trade, profile, language)
  const { id, code, left } = await cashCodes.issue(of)
  const text = textsOf("mails", language)("cashCode", { code, merchant: name, minutes: CODE_MINUTES })
  try {
    await container.resolve(Modules.NOTIFICATION).createNotifications({
      to: of.phone,
      channel: CHANNEL,
      template: TEMPLATE,
      content: { text },
      data: { merchant_name: name, minutes: CODE_MINUTES, language },
      resource_id: cart_id,
      resource_type: "cart",
    })
  } catch (error) {
    // The provider's words, and errors that have them as their cause, may contain the message and so the code.
    const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
    logger.warn(`gateway: a code for cart ${cart_id} could not be sent: ${wordlessOf(error)}`)
    await cashCodes.unsent(id)
    throw new GatewayError("SERVICE_UNAVAILABLE", messageOf("refusal.cash_code_unsent"))
  }
  return { sent_to: maskedPhone(of.phone), expires_in: CODE_MINUTES * 60, left }
}

/** Errors: INVALID_REQUEST, INVALID_PHONE, CASH_CODE_WRONG, CASH_CODE_EXPIRED. */
export async function confirmCashCode(container: MedusaContainer, cart_id: string, code: string): Promise<void> {
  const { of } = await cartOf(container, cart_id)
  await gatewayIn(container).cashCodes.confirm(of, code)
}

async function cartOf(container: MedusaContainer, cart_id: string): Promise<{ of: CodeFor; language: "en" | "bn" }> {
  const cart = await openCart(container.resolve(ContainerRegistrationKeys.QUERY), cart_id)
  if (cart === null) {
    throw new GatewayError("INVALID_REQUEST", messageOf("refusal.cart_none"))
  }
  const { phone } = shopperOf(cart, "", LIMITS.orderAmountMinMinor)
  if (phone === null) {
    throw new GatewayError("INVALID_PHONE", messageOf("refusal.cash_code_phone"))
  }
  const { merchant_id, environment } = await storeScope({ gateway: gatewayIn(container) })
  const language = languageOfTag(cart.locale ?? "") ?? "en"
  return { of: { merchant_id, environment, cart_id, phone }, language }
}
