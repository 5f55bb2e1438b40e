import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { WorkflowData } from "@medusajs/framework/workflows-sdk"
import { createStep, createWorkflow, StepResponse, WorkflowResponse } from "@medusajs/framework/workflows-sdk"
import { gatewayIn } from "../modules/gateway"
import type { IntervalUnit } from "../modules/gateway/kernel/money/calendar"
import { GatewayError } from "../modules/gateway/kernel/errors"
import { formatAmount } from "../modules/gateway/kernel/money/money"
import type GatewayModuleService from "../modules/gateway/service"
import { chargedNext, endMembers, type EndMembers } from "../modules/gateway/subscriptions/end-rules"
import { presentQuantity } from "../modules/gateway/subscriptions/quantity-rules"
import type { SubscriptionRow } from "../modules/gateway/subscriptions/records"
import type { SubscriptionState } from "../modules/gateway/subscriptions/states"
import { columnsOf, formerTerms, readTerms, scopeOf, storedTerms, type ActedBy, type OfMerchant } from "./input"

/** `subscription_id` is the subscription's uuid, or its integer id of `/api/v2`. */
export type SubscriptionInput = OfMerchant & ActedBy & { subscription_id: string }

export type CancelSubscriptionInput = SubscriptionInput & {
  /** True: it ends with what is paid for. Default: false, it ends now. */
  at_period_end?: boolean
  reason?: string
}

/** What is absent stays. New terms hold from the next cycle on. */
export type UpdateSubscriptionInput = SubscriptionInput & {
  /**
   * What a period costs, whole: decimal text in the subscription's currency, from "10.00" to "500000.00". Not together
   * with `unit_amount`, or with a quantity above 1.
   */
  amount?: string
  /** What one costs. */
  unit_amount?: string
  /** How many, such as seats: 1 to 10000. Not of the store's goods. */
  quantity?: number
  interval_count?: number
  interval_unit?: IntervalUnit
  /** It ends after so many paid periods, 1 to 1000. 0: it has no end. Not together with `ends_at`. */
  billing_cycles?: number
  /** No period begins then or later. ISO 8601 with its zone. */
  ends_at?: string
  meta_data?: Record<string, unknown>
}

export type RetrySubscriptionPaymentInput = SubscriptionInput & {
  /** How many charges of the open period the caller knows of: after another one, nothing is charged. */
  attempts: number
}

/**
 * `id` is the uuid. Times are ISO 8601 by the merchant's clock. Quantity and end are there where the answers of `/api/v2`
 * have them.
 */
export type SubscriptionResult = EndMembers & {
  id: string
  status: SubscriptionState
  amount: string
  quantity?: number
  unit_amount?: string
  currency: string
  interval_count: number
  interval_unit: IntervalUnit
  current_period_end: string | null
  next_billing_date: string | null
  cancel_at_period_end: boolean
}

/** `unknown`: the acquirer has not said yet, and is asked until it does. */
export type RetrySubscriptionPaymentResult = {
  outcome: "paid" | "declined" | "unknown"
  error_code: string | null
  subscription: SubscriptionResult
}

/** Compensation resumes it, if this step has paused it. */
export const pauseGatewaySubscriptionStep = createStep(
  "pause-gateway-subscription",
  async (input: SubscriptionInput, { container }) => {
    const { row, isOwn } = await changed(container, input, {
      make: async ({ subscriptions }) => subscriptions.pause(await scopeOf(container, input), input.subscription_id),
      isMade: ({ status }) => status === "PAUSED",
    })
    return new StepResponse(resultOf(row), { input, isOwn })
  },
  async (undo, { container }) =>
    compensate(container, undo, async ({ subscriptions }, input) => {
      await subscriptions.resume(await scopeOf(container, input), input.subscription_id)
    })
)

/** Pauses an active subscription; one that is paused stays so. Errors: SUBSCRIPTION_NOT_FOUND, INVALID_STATE_TRANSITION. */
export const pauseGatewaySubscriptionWorkflow = createWorkflow(
  "pause-gateway-subscription",
  (input: WorkflowData<SubscriptionInput>) => new WorkflowResponse(pauseGatewaySubscriptionStep(input))
)

/** Compensation pauses it again, if this step has resumed it. */
export const resumeGatewaySubscriptionStep = createStep(
  "resume-gateway-subscription",
  async (input: SubscriptionInput, { container }) => {
    const { row, isOwn } = await changed(container, input, {
      make: async ({ subscriptions }) => subscriptions.resume(await scopeOf(container, input), input.subscription_id),
      isMade: ({ status }) => status === "ACTIVE",
    })
    return new StepResponse(resultOf(row), { input, isOwn })
  },
  async (undo, { container }) =>
    compensate(container, undo, async ({ subscriptions }, input) => {
      await subscriptions.pause(await scopeOf(container, input), input.subscription_id)
    })
)

/** Resumes a paused subscription with the days that were left; an active one stays so. Errors as for pausing. */
export const resumeGatewaySubscriptionWorkflow = createWorkflow(
  "resume-gateway-subscription",
  (input: WorkflowData<SubscriptionInput>) => new WorkflowResponse(resumeGatewaySubscriptionStep(input))
)

/**
 * What was cancelled at once cannot be revived, so the step has no compensation: put it last in a workflow of yours.
 */
export const cancelGatewaySubscriptionStep = createStep(
  "cancel-gateway-subscription",
  async (input: CancelSubscriptionInput, { container }) => {
    const { subscription_id, at_period_end: atPeriodEnd = false, reason = null } = input
    const { row } = await changed(container, input, {
      make: async ({ subscriptions }) =>
        subscriptions.cancel(await scopeOf(container, input), subscription_id, { atPeriodEnd, reason }),
      isMade: (now) => now.status === "CANCELLED" && now.cancel_at_period_end === atPeriodEnd,
    })
    return new StepResponse(resultOf(row))
  }
)

/** Ends a subscription; one that has ended that way stays so. Errors: SUBSCRIPTION_NOT_FOUND, INVALID_STATE_TRANSITION. */
export const cancelGatewaySubscriptionWorkflow = createWorkflow(
  "cancel-gateway-subscription",
  (input: WorkflowData<CancelSubscriptionInput>) => new WorkflowResponse(cancelGatewaySubscriptionStep(input))
)

/** Compensation brings the terms back that this step has changed. An invoice that was void for the new amount stays void. */
export const updateGatewaySubscriptionStep = createStep(
  "update-gateway-subscription",
  async (input: UpdateSubscriptionInput, { container }) => {
    const { subscriptions } = gatewayIn(container)
    const scope = await scopeOf(container, input)
    const change = readTerms(input)
    const before = await subscriptions.retrieve(scope, input.subscription_id)
    const after = await subscriptions.update(scope, input.subscription_id, change)
    const [former, expected] = [storedTerms(before, change), storedTerms(after, change)]
    return new StepResponse(resultOf(after), { input, isOwn: true, former, expected })
  },
  async (undo, { container }) =>
    compensate(container, undo, async ({ subscriptions }, input) => {
      const { former, expected } = undo as NonNullable<typeof undo>
      const scope = await scopeOf(container, input)
      await subscriptions.update(scope, input.subscription_id, formerTerms(former), columnsOf(expected))
    })
)

/** Errors: SUBSCRIPTION_NOT_FOUND, VALIDATION_ERROR, INVALID_STATE_TRANSITION (it has ended). */
export const updateGatewaySubscriptionWorkflow = createWorkflow(
  "update-gateway-subscription",
  (input: WorkflowData<UpdateSubscriptionInput>) => new WorkflowResponse(updateGatewaySubscriptionStep(input))
)

/** A charge that was made stays made, so the step has no compensation. */
export const retryGatewaySubscriptionPaymentStep = createStep(
  "retry-gateway-subscription-payment",
  async (input: RetrySubscriptionPaymentInput, { container }) => {
    const { subscriptions, paymentRetries } = gatewayIn(container)
    const scope = await scopeOf(container, input)
    const retried = await paymentRetries.retry(scope, input.subscription_id, input.attempts)
    const subscription = resultOf(await subscriptions.retrieve(scope, input.subscription_id))
    return new StepResponse<RetrySubscriptionPaymentResult>({ ...retried, subscription })
  }
)

/**
 * Charges a payment that is past due now and not when its next retry is due. With the same `attempts` it charges once:
 * the second run is INVALID_STATE_TRANSITION. Other errors: SUBSCRIPTION_NOT_FOUND, MERCHANT_SUSPENDED,
 * SERVICE_NOT_ENABLED.
 */
export const retryGatewaySubscriptionPaymentWorkflow = createWorkflow(
  "retry-gateway-subscription-payment",
  (input: WorkflowData<RetrySubscriptionPaymentInput>) =>
    new WorkflowResponse(retryGatewaySubscriptionPaymentStep(input))
)

type Change = {
  make(gateway: GatewayModuleService): Promise<SubscriptionRow>
  /** Whether the subscription is already what `make` was to make of it. */
  isMade(row: SubscriptionRow): boolean
}

/** Done twice, it is done once: only the run that made the change (`isOwn`) is compensated. */
async function changed(
  container: MedusaContainer,
  input: SubscriptionInput,
  { make, isMade }: Change
): Promise<{ row: SubscriptionRow; isOwn: boolean }> {
  const gateway = gatewayIn(container)
  try {
    return { row: await make(gateway), isOwn: true }
  } catch (error) {
    if (!GatewayError.is(error) || error.code !== "INVALID_STATE_TRANSITION") {
      throw error
    }
    const row = await gateway.subscriptions.retrieve(await scopeOf(container, input), input.subscription_id)
    if (!isMade(row)) {
      throw error
    }
    return { row, isOwn: false }
  }
}

/** Somebody may have changed the subscription meanwhile: then what they did stays, and the log says so. */
async function compensate<Input extends SubscriptionInput>(
  container: MedusaContainer,
  undo: { input: Input; isOwn: boolean } | undefined,
  work: (gateway: GatewayModuleService, input: Input) => Promise<void>
): Promise<void> {
  // Medusa gives nothing when the step itself threw: then nothing was changed.
  if (undo === undefined || !undo.isOwn) {
    return
  }
  const { input } = undo
  try {
    await work(gatewayIn(container), input)
  } catch (error) {
    if (!GatewayError.is(error)) {
      throw error
    }
    const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
    logger.warn(`gateway: a change of subscription ${input.subscription_id} could not be undone: ${error.message}`)
  }
}

function resultOf(row: SubscriptionRow): SubscriptionResult {
  const { uuid, status, amount_minor, currency, interval_count, interval_unit, cancel_at_period_end } = row
  return {
    id: uuid,
    status,
    amount: formatAmount(amount_minor),
    ...presentQuantity(row),
    currency,
    interval_count,
    interval_unit,
    current_period_end: row.current_period_end?.toISOString() ?? null,
    next_billing_date: chargedNext(row)?.toISOString() ?? null,
    cancel_at_period_end,
    ...endMembers(row),
  }
}
