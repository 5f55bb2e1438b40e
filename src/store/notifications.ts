import type {
  CreateNotificationDTO,
  INotificationModuleService,
  MedusaContainer,
  NotificationDTO,
} from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules, NotificationStatus } from "@medusajs/framework/utils"
import { languageOfTag } from "../i18n/languages"
import { textsOf, translate } from "../i18n/translate"
import { gatewayIn } from "../modules/gateway"
import type { DueDisputeNotification } from "../modules/gateway/disputes/notifications"
import { DUE_WORK, DueWork } from "../modules/gateway/kernel/database/due-work"
import { wordlessOf } from "../modules/gateway/kernel/errors"
import { html } from "../modules/gateway/kernel/text/html"
import { formatAmount } from "../modules/gateway/kernel/money/money"
import { shopName } from "../modules/gateway/merchants/profile-rules"
import type { OutgoingMail } from "../modules/gateway/store-port"
import type { SkipNotification } from "../modules/gateway/subscriptions/store/renewals"
import type { DisabledEndpoint } from "../modules/gateway/webhooks/disabled-endpoints"

/*
 * The e-mails of the gateway, through Medusa's notification module. One that fails (no mail provider) is tried again: a
 * notice of this file and one about a dispute for a day, one about reserved money while it can be captured, an invoice and a receipt for 38 hours, a portal link for six
 * minutes.
 */

const PERIOD_SKIPPED = "gateway-subscription-period-skipped"
const ENDPOINT_DISABLED = "gateway-webhook-endpoint-disabled"
/** Few e-mails need a second try. */
const TRIES_AT_ONCE = 10

/** Notifies shoppers that a period of theirs was skipped, and why. */
export async function notifySkippedCustomers(scope: MedusaContainer, stop?: AbortSignal): Promise<void> {
  const { renewals } = gatewayIn(scope).billing
  const due = new DueWork<SkipNotification>(
    scope.resolve(ContainerRegistrationKeys.LOGGER),
    DUE_WORK.skippedPeriodMail,
    {
      id: ({ id }) => id,
      claim: (limit, lease) => renewals.claimNotifications(limit, lease),
      work: async (notice) => {
        await notifyOfSkip(scope, notice)
        await renewals.markNotified(notice.id)
      },
    }
  )
  await due.run({ stop })
}

async function notifyOfSkip(scope: MedusaContainer, notice: SkipNotification): Promise<void> {
  await notifyOnce(scope, {
    occasion: `${PERIOD_SKIPPED}:${notice.id}`,
    to: notice.email,
    template: PERIOD_SKIPPED,
    resource_id: notice.id,
    resource_type: "gateway_skipped_period",
    data: {
      subscription_id: notice.subscription_uuid,
      plan_name: notice.plan_name,
      reason: notice.reason,
      amount: formatAmount(notice.amount_minor),
      currency: notice.currency,
      period_start: notice.period_start.toISOString(),
      next_billing_date: notice.next_billing_date?.toISOString() ?? null,
      customer_name: notice.customer_name,
      merchant_name: notice.merchant_name,
    },
  })
}

/** Notifies merchants of webhook endpoints that were disabled; the endpoint's row says it in any case. */
export async function notifyDisabledEndpoints(scope: MedusaContainer, stop?: AbortSignal): Promise<void> {
  const { disabledEndpoints } = gatewayIn(scope)
  const logger = scope.resolve(ContainerRegistrationKeys.LOGGER)
  const due = new DueWork<DisabledEndpoint>(logger, DUE_WORK.disabledEndpointMail, {
    id: ({ id }) => id,
    claim: (limit, lease) => disabledEndpoints.claim(limit, lease),
    work: async (endpoint) => {
      const { id, email, disabled_reason } = endpoint
      if (email === null) {
        logger.warn(
          `gateway: webhook endpoint ${id} is disabled (${translate(disabled_reason)}); its merchant has no e-mail address`
        )
      } else {
        await notifyOfEndpoint(scope, { ...endpoint, email })
      }
      await disabledEndpoints.markNotified(id)
    },
  })
  await due.run({ stop })
}

async function notifyOfEndpoint(scope: MedusaContainer, endpoint: DisabledEndpoint & { email: string }): Promise<void> {
  const { id, email, endpoint_url, disabled_reason, environment, merchant_name } = endpoint
  await notifyOnce(scope, {
    occasion: `${ENDPOINT_DISABLED}:${id}:${endpoint.disabled_at.toISOString()}`,
    to: email,
    template: ENDPOINT_DISABLED,
    resource_id: id,
    resource_type: "gateway_webhook_endpoint",
    data: { endpoint_url, reason: translate(disabled_reason), environment, merchant_name },
  })
}

/**
 * Sends an e-mail that the core has written. `content` serves providers that send it as it is, `data` serves those that render
 * templates. Providers that support attachments get the PDF.
 */
export async function sendMail(scope: MedusaContainer, mail: OutgoingMail): Promise<void> {
  const { subject, html, text, attachment, resource } = mail
  await notifyOnce(scope, {
    occasion: mail.occasion,
    to: mail.to,
    template: mail.template,
    resource_id: resource.id,
    resource_type: resource.type,
    content: { subject, html, text },
    data: { ...mail.data, subject, html, text },
    attachments: attachment && [
      {
        filename: attachment.filename,
        content_type: attachment.type,
        content: attachment.bytes.toString("base64"),
        disposition: "attachment",
      },
    ],
  })
}

type Notice = Omit<CreateNotificationDTO, "idempotency_key" | "trigger_type" | "channel" | "resource_id"> & {
  resource_id: string
  /** Identifies the e-mail; the same for every try. */
  occasion: string
}

/**
 * Sends an e-mail once, even when an earlier run crashed before it recorded that. Medusa does not accept a failed
 * idempotency key again (it sends, and then throws because it looks for a row that it never created), so each try has
 * its own.
 */
async function notifyOnce(scope: MedusaContainer, { occasion, ...notice }: Notice): Promise<void> {
  const notifications = scope.resolve(Modules.NOTIFICATION)
  const earlier = await earlierTries(notifications, occasion)
  if (earlier.some(({ status }) => status === NotificationStatus.SUCCESS)) {
    return
  }
  await notifications.createNotifications({
    ...notice,
    channel: "email",
    trigger_type: occasion,
    idempotency_key: tryOf(occasion, earlier.length),
  })
}

const tryOf = (occasion: string, index: number) => `${occasion}:${index}`

/**
 * The tries of an e-mail, found by their keys: Medusa has an index of the keys, and none of the subjects of
 * notifications.
 */
async function earlierTries(notifications: INotificationModuleService, occasion: string): Promise<NotificationDTO[]> {
  const found: NotificationDTO[] = []
  for (let isMore = true; isMore;) {
    const idempotency_key = Array.from({ length: TRIES_AT_ONCE }, (_, index) => tryOf(occasion, found.length + index))
    const tries = await notifications.listNotifications({ idempotency_key } as object, { take: TRIES_AT_ONCE })
    found.push(...tries)
    isMore = tries.length === TRIES_AT_ONCE
  }
  return found
}

/** The templates: a new dispute, one whose deadline is near, one whose deadline has passed, and one that is over. */
const TEMPLATES: Readonly<Record<DueDisputeNotification["notice"], string>> = {
  opened: "gateway-dispute-opened",
  reminder: "gateway-dispute-reminder",
  missed: "gateway-dispute-deadline-missed",
  closed: "gateway-dispute-closed",
}

/** Notifies merchants of disputes; the admin's pages and the events say it in any case. */
export async function notifyDisputedMerchants(scope: MedusaContainer, stop?: AbortSignal): Promise<void> {
  const { disputeNotifications } = gatewayIn(scope)
  const logger = scope.resolve(ContainerRegistrationKeys.LOGGER)
  const due = new DueWork<DueDisputeNotification>(logger, DUE_WORK.disputeMail, {
    id: ({ id }) => id,
    claim: (limit, lease) => disputeNotifications.claim(limit, lease),
    work: async (notice) => {
      const { id, email } = notice
      if (email === null) {
        logger.warn(`gateway: the dispute ${id} is due for its merchant (${notice.notice}), who has no e-mail address`)
      } else {
        await notifyOf(scope, { ...notice, email })
      }
      await disputeNotifications.markNotified(notice)
    },
  })
  await due.run({ stop })
}

async function notifyOf(scope: MedusaContainer, notice: DueDisputeNotification & { email: string }): Promise<void> {
  const template = TEMPLATES[notice.notice]
  // A deadline that the bank has extended is another occasion, and so is another outcome.
  const occasion = [template, notice.id, notice.state, notice.due_by?.toISOString()].filter(Boolean).join(":")
  await notifyOnce(scope, {
    occasion,
    to: notice.email,
    template,
    resource_id: notice.id,
    resource_type: "gateway_dispute",
    data: {
      dispute_id: notice.id,
      status: notice.state,
      reason: notice.reason,
      amount: formatAmount(notice.amount_minor),
      currency: notice.currency,
      evidence_due_by: notice.due_by?.toISOString() ?? null,
      transaction_id: notice.transaction_id,
      order_number: notice.order_number,
      environment: notice.environment,
      merchant_name: notice.merchant_name,
    },
  })
}

const TEMPLATE = "customer-password-reset"

/** Medusa's event of a request for a new password; `metadata` comes from the browser, and anybody may write it. */
export type PasswordRequest = {
  entity_id: string
  actor_type: string
  token: string
  metadata?: { locale?: unknown } | null
}

/**
 * Sends a customer the link of the storefront's page for a new password. `page` is that page's address; token and e-mail
 * address follow as its query. A page whose address has a `#` receives them behind it, where no server logs them.
 */
export async function sendPasswordLink(
  container: MedusaContainer,
  page: string,
  { entity_id: email, token, metadata }: PasswordRequest
): Promise<void> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data: stores } = await query.graph({ entity: "store", fields: ["name"] })
  const { merchants, options } = gatewayIn(container)
  const { name, profile } = await merchants.storeMerchant(options.storeMerchantName)
  const language = typeof metadata?.locale === "string" ? (languageOfTag(metadata.locale) ?? "en") : "en"
  const shop = shopName(stores[0]?.name ?? name, profile, language)
  const words = textsOf("password", language)
  const url = `${page}?${new URLSearchParams({ token, email })}`
  const [subject, text, ignore] = [words("subject", { shop }), words("text", { shop }), words("ignore")]
  const content = {
    subject,
    text: `${text}\n\n${url}\n\n${ignore}\n`,
    html: html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${subject}</title></head>
<body><p>${text}</p><p><a href="${url}">${words("button")}</a></p><p>${ignore}</p></body></html>
`.text,
  }
  const mail = { to: email, channel: "email", template: TEMPLATE, trigger_type: TEMPLATE, content, data: content }
  try {
    await container.resolve(Modules.NOTIFICATION).createNotifications(mail)
  } catch (error) {
    // Medusa logs what a subscriber throws, and the provider's words may contain the link.
    throw new Error(`gateway: the link of a password could not be sent: ${wordlessOf(error)}`)
  }
}
