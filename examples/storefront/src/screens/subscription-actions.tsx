import { openDialog } from "../components/dialog"
import { NoticeArea, isBusy, showProblem, whileBusy } from "../components/notice"
import { everyOf } from "../components/plan"
import { titleOf } from "../components/subscription"
import { byId, h, type View } from "../lib/dom"
import { describeError, isConflict, isSignedOut } from "../lib/errors"
import { day, taka } from "../lib/format"
import { replace } from "../lib/router"
import { wait } from "../lib/wait"
import { signInPath } from "../store/account"
import { changeSubscription, replaceInstrument, type OtherPlan, type Subscription } from "../store/subscriptions"
import type { SubscriptionStatus } from "../store/subscription-types"
import { t } from "../text"

const LEAVING_MS = 15_000

/** What the store allows in each status. The store decides: it refuses what an outdated page offers. */
const ALLOWED: Record<
  SubscriptionStatus,
  readonly ("pause" | "resume" | "plan" | "replace" | "cancel" | "uncancel")[]
> = {
  PENDING: ["replace", "cancel"],
  TRIALING: ["plan", "replace", "cancel"],
  ACTIVE: ["pause", "plan", "replace", "cancel"],
  PAST_DUE: ["replace", "cancel"],
  PAUSED: ["resume", "plan", "replace", "cancel"],
  CANCELLED: ["uncancel"],
  EXPIRED: [],
}

type ActionsProps = {
  subscription: Subscription
  /** What it may be changed to. */
  plans: readonly OtherPlan[]
  onChange: (next: Subscription, message: string, kind?: "success" | "info") => void
  reload: () => Promise<Subscription | null>
  signal: AbortSignal
}

export function SubscriptionActions(props: ActionsProps): View {
  const { status, cancel_at_period_end, current_period_start: start, current_period_end: end } = props.subscription
  // A cancellation can be undone until it takes effect, when something had begun before it.
  const isOver = status === "CANCELLED" && !(cancel_at_period_end && start !== null && isAhead(end))
  const allowed = isOver ? [] : ALLOWED[status]
  const isDue = status === "PAST_DUE"
  const on = (act: (act: Acting) => void) => (event: Event) =>
    act({ ...props, place: place as HTMLElement, button: event.currentTarget as HTMLButtonElement })
  const place = (
    <div>
      <NoticeArea id="action-problem" />
      <div class="actions">
        {allowed.includes("resume") && (
          <button class="button" id="resume" type="button" onClick={on(resume)}>
            {t.subscription.resume}
          </button>
        )}
        {allowed.includes("uncancel") && (
          <button class="button" id="uncancel" type="button" onClick={on(uncancel)}>
            {t.subscription.uncancel}
          </button>
        )}
        {allowed.includes("plan") && props.subscription.scheduled_change && (
          <button class="button button-quiet" id="keep-plan" type="button" onClick={on(keepPlan)}>
            {t.subscription.keepPlan}
          </button>
        )}
        {allowed.includes("plan") && props.plans.length > 0 && (
          <button class="button button-quiet" id="plan" type="button" onClick={on(askForPlan)}>
            {t.subscription.changePlan}
          </button>
        )}
        {allowed.includes("pause") && (
          <button class="button button-quiet" id="pause" type="button" onClick={on(pause)}>
            {t.subscription.pause}
          </button>
        )}
        {allowed.includes("replace") && (
          <button
            class={isDue ? "button" : "button button-quiet"}
            id="replace"
            type="button"
            onClick={on(askToReplace)}
          >
            {isDue ? t.subscription.replaceDue : t.subscription.replace}
          </button>
        )}
        {allowed.includes("cancel") && (
          <button class="text-button" id="cancel" type="button" onClick={on(askToCancel)}>
            {t.subscription.cancel}
          </button>
        )}
      </div>
    </div>
  )
  return place
}

/** A pressed button and its subscription. */
type Acting = ActionsProps & { place: HTMLElement; button: HTMLButtonElement }

const pause = (act: Acting): void =>
  press(act, t.subscription.pausing, async ({ subscription, onChange }) =>
    onChange(await changeSubscription(subscription.id, "pause"), t.subscription.paused)
  )

const resume = (act: Acting): void =>
  press(act, t.subscription.resuming, async ({ subscription, onChange }) => {
    const next = await changeSubscription(subscription.id, "resume")
    onChange(next, t.subscription.resumed(next.next_billing_date ? day(next.next_billing_date, next.time_zone) : ""))
  })

// The page shows when the next payment is, or that one is overdue.
const uncancel = (act: Acting): void =>
  press(act, t.subscription.uncancelling, async ({ subscription, onChange }) => {
    onChange(await changeSubscription(subscription.id, "uncancel"), t.subscription.uncancelled)
  })

const keepPlan = (act: Acting): void =>
  press(act, t.subscription.keepingPlan, async ({ subscription, onChange }) => {
    onChange(await changeSubscription(subscription.id, "keep-plan"), t.subscription.planKept)
  })

/** Goods change with the next payment, so nothing is due before it. */
function askForPlan(act: Acting): void {
  openDialog(act.place, {
    title: t.subscription.changePlanTitle,
    confirm: t.subscription.changePlanGo,
    busy: t.subscription.changingPlan,
    dismiss: t.subscription.notNow,
    children: (
      <fieldset class="options">
        <legend class="muted small">{t.subscription.changePlanText}</legend>
        {act.plans.map((plan, index) => (
          <Choice
            name="plan"
            value={String(plan.id)}
            title={titleOf(plan)}
            hint={offerText(plan)}
            checked={index === 0}
          />
        ))}
      </fieldset>
    ),
    onConfirm: (form, problem) =>
      attempt(act, problem, async () => {
        const chosen = act.plans.find(({ id }) => String(id) === new FormData(form).get("plan"))
        const wanted = { subscription_plan_id: chosen?.id, amount: chosen?.amount }
        const next = await changeSubscription(act.subscription.id, "change", wanted)
        act.onChange(next, t.subscription.planChanges)
      }),
  })
}

/** "৳970.00 every month. 12 payments, then it ends." */
function offerText(plan: OtherPlan): string {
  const price = t.plan.price(taka(Number(plan.amount)), everyOf(plan))
  return plan.billing_cycles ? `${price}. ${t.plan.cycles(plan.billing_cycles)}` : price
}

function press(act: Acting, busy: string, work: (act: Acting) => Promise<void>): void {
  if (isBusy(act.button)) {
    return
  }
  const problem = byId(act.place, "action-problem")
  problem.replaceChildren()
  void whileBusy(act.button, busy, () => work(act)).catch((error) => explain(act, problem, error))
}

/** States the price before the browser leaves: nothing, or the period that is owed. */
function askToReplace(act: Acting): void {
  const { id, status } = act.subscription
  openDialog(act.place, {
    title: t.subscription.replaceTitle,
    confirm: t.subscription.replaceGo,
    busy: t.subscription.opening,
    dismiss: t.subscription.notNow,
    children: <p>{status === "PAST_DUE" ? t.subscription.replaceDueText : t.subscription.replaceText}</p>,
    onConfirm: (_form, problem) =>
      attempt(act, problem, async () => {
        location.assign(await replaceInstrument(id))
        // The button stays busy while the browser leaves, so that a second click opens no second payment.
        await wait(LEAVING_MS, act.signal)
      }),
  })
}

function askToCancel(act: Acting): void {
  openDialog(act.place, {
    title: t.subscription.cancelTitle,
    confirm: t.subscription.cancelGo,
    busy: t.subscription.cancelling,
    dismiss: t.subscription.keep,
    children: <CancelChoice subscription={act.subscription} />,
    onConfirm: (form, problem) =>
      attempt(act, problem, async () => {
        const atPeriodEnd = new FormData(form).get("when") !== "now"
        const next = await changeSubscription(act.subscription.id, "cancel", { cancel_at_period_end: atPeriodEnd })
        const until = atPeriodEnd && isAhead(next.current_period_end) ? next.current_period_end : null
        act.onChange(next, until ? t.subscription.cancelled(day(until, next.time_zone)) : t.subscription.cancelledNow)
      }),
  })
}

/** Shows the problem in the dialog, which then stays open. */
async function attempt(act: Acting, problem: HTMLElement, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    await explain(act, problem, error)
    throw error
  }
}

/** Shows the problem; when the subscription has changed meanwhile, shows its current state instead. */
async function explain({ subscription, onChange, reload }: Acting, area: HTMLElement, error: unknown): Promise<void> {
  if (isSignedOut(error)) {
    replace(signInPath(`/account/subscriptions/${encodeURIComponent(subscription.id)}`, "expired"))
    return
  }
  const now = isConflict(error) ? await reload().catch(() => null) : null
  if (now && now.status !== subscription.status) {
    onChange(now, t.errors.meanwhile, "info")
    return
  }
  showProblem(area, describeError(error))
}

const isAhead = (date: string | null): date is string => date !== null && new Date(date) > new Date()

/** Cancels at the end of the paid period by default; without a paid period there is no choice. */
function CancelChoice({ subscription }: { subscription: Subscription }): View {
  const { current_period_end: end, next_billing_date: next, time_zone } = subscription
  // A period that was paid in advance counts too: the next payment is due when the paid time is used up.
  const until = isAhead(next) ? next : isAhead(end) ? end : null
  if (subscription.status === "PAST_DUE" || subscription.status === "PENDING" || until === null) {
    return (
      <p>
        {t.subscription.cancelOnly}
        <input type="hidden" name="when" value="now" />
      </p>
    )
  }
  const isPaused = subscription.status === "PAUSED"
  return (
    <fieldset class="options">
      <legend class="visually-hidden">{t.subscription.cancelTitle}</legend>
      <Choice
        name="when"
        value="end"
        title={t.subscription.cancelEnd}
        hint={isPaused ? "" : t.subscription.cancelEndHint(day(until, time_zone))}
        checked
      />
      <Choice name="when" value="now" title={t.subscription.cancelNow} hint={t.subscription.cancelNowHint} />
    </fieldset>
  )
}

type ChoiceProps = { name: string; value: string; title: string; hint: string; checked?: boolean }

function Choice({ name, value, title, hint, checked }: ChoiceProps): View {
  return (
    <label class="option">
      <input type="radio" name={name} value={value} checked={checked} />
      <span class="option-text">
        <span class="option-title">{title}</span>
        <span class="muted small">{hint}</span>
      </span>
    </label>
  )
}
