/*
 * The e-mails of the gateway, through Medusa's notification module. One that fails (no mail provider) is tried again: a
 * notice of this file and one about a dispute for a day, an invoice and a receipt for 38 hours, a portal link for six
 * minutes.
 */
import type {
  CreateNotificationDTO,
  INotificationModuleService,
  MedusaContainer,
  NotificationDTO,
} from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules, NotificationStatus } from "@medusajs/framework/utils"
import { translate } from "../i18n/translate"
import { gatewayIn } from "../modules/gateway"
import { DUE_WORK, DueWork } from "../modules/gateway/kernel/due-work"
import { formatAmount } from "../modules/gateway/kernel/money"
import type { OutgoingMail } from "../modules/gateway/store-port"
import type { SkipNotification } from "../modules/gateway/subscriptions/store/renewals"
import type { DisabledEndpoint } from "../modules/gateway/webhooks/disabled-endpoints"

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
export async function notifyOnce(scope: MedusaContainer, { occasion, ...notice }: Notice): Promise<void> {
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
