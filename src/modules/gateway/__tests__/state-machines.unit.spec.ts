import { GatewayError } from "../kernel/errors"
import { attemptMachine } from "../payments/attempt-states"
import { authorizationMachine, captureMachine } from "../payments/captures/states"
import { billingRecordMachine } from "../subscriptions/billing/states"
import { cartCompletionMachine } from "../checkout/cart-completion-states"
import { cashOrderMachine, cashRefundMachine } from "../cash/states"
import { disputeMachine } from "../disputes/states"
import { defineStateMachine, type StateMachine } from "../kernel/database/state-machine"
import { invoiceMachine } from "../invoices/states"
import { linkMachine } from "../links/states"
import { orderRefundMachine } from "../refunds/orders/states"
import { importMachine, lineMachine, monthMachine } from "../settlements/states"
import { refundMachine } from "../refunds/states"
import { refundProposalMachine } from "../refunds/proposals/states"
import { subscriptionMachine } from "../subscriptions/states"
import { publicStatus, transactionMachine, TRANSACTION_STATES } from "../payments/states"

type Expected = Record<string, Record<string, [to: string, ...emits: string[]]>>

/** Written from the contract and the decisions, not from the tables: what is not here is forbidden. */
const TRANSACTION: Expected = {
  OPEN: {
    attempt: ["PROCESSING"],
    cancel: ["CANCELLED", "payment.cancelled"],
    leave: ["FAILED", "payment.failed"],
    hold: ["HELD"],
    authorize: ["AUTHORIZED", "payment.authorized"],
    succeed: ["SUCCESS", "payment.succeeded"],
    expire: ["EXPIRED", "payment.expired"],
  },
  PROCESSING: {
    retry: ["OPEN"],
    pass_on: ["PROCESSING"],
    hold: ["HELD"],
    authorize: ["AUTHORIZED", "payment.authorized"],
    succeed: ["SUCCESS", "payment.succeeded"],
    decline: ["FAILED", "payment.failed"],
    abandon: ["CANCELLED", "payment.cancelled"],
    lapse: ["EXPIRED", "payment.expired"],
  },
  HELD: { succeed: ["SUCCESS", "payment.succeeded"], decline: ["FAILED", "payment.failed"] },
  AUTHORIZED: {
    capture: ["SUCCESS", "payment.succeeded"],
    void: ["CANCELLED", "payment.voided"],
    lose: ["EXPIRED", "payment.authorization_expired"],
  },
  SUCCESS: { capture: ["SUCCESS"], refund_in_full: ["REFUNDED"] },
  REFUNDED: { capture: ["SUCCESS"], refund_bounced: ["SUCCESS"] },
}

const ANSWERED: Expected[string] = {
  hold: ["HELD"],
  authorize: ["AUTHORIZED"],
  succeed: ["SUCCEEDED"],
  decline: ["DECLINED"],
  abandon: ["ABANDONED"],
}
const PAYMENT_ATTEMPT: Expected = {
  STARTED: { redirect: ["REDIRECTED"], ...ANSWERED },
  REDIRECTED: { confirm: ["CONFIRMING"], ...ANSWERED },
  CONFIRMING: { reopen: ["REDIRECTED"], ...ANSWERED },
  HELD: { succeed: ["SUCCEEDED"], give_back: ["SURPLUS"] },
  AUTHORIZED: { succeed: ["SUCCEEDED"], release: ["RELEASED"] },
  ABANDONED: {
    hold: ["HELD"],
    authorize: ["AUTHORIZED"],
    release: ["RELEASED"],
    succeed: ["SUCCEEDED"],
    decline: ["DECLINED"],
    overpay: ["SURPLUS"],
  },
  DECLINED: {
    hold: ["HELD"],
    authorize: ["AUTHORIZED"],
    release: ["RELEASED"],
    succeed: ["SUCCEEDED"],
    overpay: ["SURPLUS"],
  },
  SURPLUS: { return: ["RETURNED"] },
}

const AUTHORIZATION: Expected = {
  open: { release: ["releasing"], use: ["used"] },
  releasing: { released: ["released"] },
}
const CAPTURE: Expected = { processing: { complete: ["completed", "payment.captured"], fail: ["failed"] } }

const REFUND: Expected = {
  pending: {
    cancel: ["cancelled", "refund.cancelled"],
    reject: ["cancelled", "refund.cancelled"],
    process: ["processing", "refund.processing"],
  },
  processing: { complete: ["completed", "refund.completed"], fail: ["failed", "refund.failed"] },
  completed: { bounce: ["failed", "refund.failed"] },
}

const DISPUTE: Expected = {
  inquiry: {
    escalate: ["needs_response", "dispute.updated"],
    submit: ["inquiry", "dispute.updated"],
    end: ["closed", "dispute.closed"],
  },
  needs_response: {
    submit: ["under_review", "dispute.updated"],
    win: ["won", "dispute.closed"],
    lose: ["lost", "dispute.closed"],
    accept: ["lost", "dispute.closed"],
  },
  under_review: { win: ["won", "dispute.closed"], lose: ["lost", "dispute.closed"] },
  lost: { reinstate: ["won", "dispute.closed"] },
}

const ORDER_REFUND: Expected = {
  waiting: { show: ["shown"], undo: ["undone"], drop: ["dropped"] },
  shown: { show: ["shown"], undo: ["undone"] },
  undone: { undo: ["undone"] },
  dropped: { drop: ["dropped"], undo: ["undone"] },
}

const REFUND_PROPOSAL: Expected = {
  open: { confirm: ["confirmed"], dismiss: ["dismissed"] },
  confirmed: { refuse: ["open"], again: ["confirmed"], dismiss: ["dismissed"] },
}

const CART_COMPLETION: Expected = {
  waiting: { order: ["ordered"], give_back: ["giving_back"] },
  giving_back: { refunded: ["given_back"], give_up: ["needs_attention"] },
  needs_attention: { order: ["ordered"], refunded: ["given_back"] },
}

const COLLECTED = "cash_order.collected"
const CHANGED = "cash_order.changed"
const CASH_ORDER: Expected = {
  placing: { place: ["due", "cash_order.placed"], cancel: ["cancelled"] },
  due: {
    collect_part: ["part_collected", COLLECTED],
    collect: ["collected", COLLECTED],
    owe_nothing: ["collected", CHANGED],
    refuse: ["refused", "cash_order.refused"],
    cancel: ["cancelled", CHANGED],
  },
  part_collected: {
    collect_part: ["part_collected", COLLECTED],
    collect: ["collected", COLLECTED],
    owe_nothing: ["collected", CHANGED],
    give_up: ["collected", CHANGED],
    cancel: ["cancelled", CHANGED],
  },
}

const SETTLEMENT_IMPORT: Expected = {
  reading: { finish: ["finished"], stop: ["stopped"], undo: ["undone"] },
  stopped: { undo: ["undone"], rematch: ["stopped"] },
  finished: { undo: ["undone"], rematch: ["finished"] },
}
const SETTLEMENT_LINE: Expected = {
  unknown: { match: ["matched"], differ: ["differs"], explain: ["explained"] },
  matched: { undo: ["unknown"] },
  differs: { explain: ["explained"], undo: ["unknown"] },
  explained: { undo: ["unknown"] },
}

const PAID = "subscription.payment_succeeded"
const FAILED = "subscription.payment_failed"
const ACTIVATED = "subscription.activated"
const CANCELLED = "subscription.cancelled"
const UNCANCELLED = "subscription.uncancelled"
const SKIPPED = "subscription.period_skipped"

const SUBSCRIPTION: Expected = {
  PENDING: {
    start_trial: ["TRIALING", "subscription.trial_started"],
    pay_trial: ["TRIALING", PAID, "subscription.trial_started"],
    pay: ["ACTIVE", PAID, ACTIVATED],
    cancel: ["CANCELLED", CANCELLED],
    expire: ["EXPIRED", "subscription.expired"],
  },
  TRIALING: {
    pay: ["TRIALING", PAID],
    end_trial: ["ACTIVE", "subscription.trial_ended", ACTIVATED],
    complete: ["EXPIRED", "subscription.trial_ended", "subscription.expired"],
    charged: ["ACTIVE", "subscription.trial_ended", PAID, ACTIVATED],
    charge_failed: ["PAST_DUE", "subscription.trial_ended", FAILED],
    skip: ["ACTIVE", "subscription.trial_ended", SKIPPED, ACTIVATED],
    cancel: ["CANCELLED", CANCELLED],
  },
  ACTIVE: {
    pay: ["ACTIVE", PAID],
    charged: ["ACTIVE", PAID],
    charge_failed: ["PAST_DUE", FAILED],
    skip: ["ACTIVE", SKIPPED],
    complete: ["EXPIRED", "subscription.expired"],
    pause: ["PAUSED", "subscription.paused"],
    cancel: ["CANCELLED", CANCELLED],
  },
  PAST_DUE: {
    pay: ["ACTIVE", PAID, ACTIVATED],
    charged: ["ACTIVE", PAID, ACTIVATED],
    charge_failed: ["PAST_DUE", FAILED],
    skip: ["ACTIVE", SKIPPED, ACTIVATED],
    give_up: ["CANCELLED", FAILED, CANCELLED],
    cancel: ["CANCELLED", CANCELLED],
  },
  PAUSED: {
    resume: ["ACTIVE", "subscription.resumed"],
    pay: ["ACTIVE", PAID, "subscription.resumed"],
    charged: ["PAUSED", PAID],
    charge_failed: ["PAUSED", FAILED],
    cancel: ["CANCELLED", CANCELLED],
  },
  CANCELLED: {
    pay: ["CANCELLED", PAID],
    charged: ["CANCELLED", PAID],
    charge_failed: ["CANCELLED"],
    uncancel: ["ACTIVE", UNCANCELLED, ACTIVATED],
    uncancel_trial: ["TRIALING", UNCANCELLED],
    uncancel_past_due: ["PAST_DUE", UNCANCELLED],
    expire: ["EXPIRED", "subscription.expired"],
  },
  EXPIRED: { pay: ["EXPIRED", PAID], charged: ["EXPIRED", PAID], charge_failed: ["EXPIRED"] },
}

const BILLING_RECORD: Expected = {
  PENDING: { reserve: ["PROCESSING"] },
  FAILED: { reserve: ["PROCESSING"] },
  PROCESSING: { succeed: ["SUCCESS"], fail: ["FAILED"], release: ["PENDING"] },
  SUCCESS: { refund: ["REFUNDED"] },
  REFUNDED: { bounce: ["SUCCESS"] },
}

const INVOICE: Expected = { PENDING: { pay: ["PAID"], void: ["VOID"] } }
const LINK: Expected = { open: { disable: ["disabled"] } }

function walk<State extends string, Trigger extends string>(machine: StateMachine<State, Trigger>, expected: Expected) {
  const pairs = machine.states.flatMap((state) => machine.triggers.map((trigger) => [state, trigger] as const))
  it.each(pairs)(`${machine.name}: %s on %s`, (state, trigger) => {
    const row = expected[state]?.[trigger]
    if (row === undefined) {
      expect(machine.find(state, trigger)).toBeNull()
      expect(() => machine.require(state, trigger)).toThrow(
        expect.objectContaining({ code: "INVALID_STATE_TRANSITION", status: 409 })
      )
      return
    }
    const [to, ...emits] = row
    expect(machine.require(state, trigger)).toMatchObject({ from: state, on: trigger, to, emits })
  })

  it(`${machine.name}: every row says where it comes from`, () => {
    expect(machine.transitions.every(({ source }) => /^\d+\.\d+$|^decisions(: \w+)?$/.test(source))).toBe(true)
  })
}

describe("contract 3.3 — transaction", () => {
  walk(transactionMachine, TRANSACTION)

  it("what has ended unpaid stays so: no trigger leaves it", () => {
    const ended = ["FAILED", "CANCELLED", "EXPIRED"]
    expect(transactionMachine.transitions.filter(({ from }) => ended.includes(from))).toEqual([])
  })

  it("money is confirmed only out of an attempt, of one that was left while the checkout is open, or by an admin", () => {
    expect(transactionMachine.transitions.filter(({ on }) => on === "succeed").map(({ from }) => from)).toEqual([
      "OPEN",
      "PROCESSING",
      "HELD",
    ])
  })

  it("docs/decisions/03 — what is held is announced to nobody, does not expire, and only an admin's two decisions end it", () => {
    const { transitions } = transactionMachine
    expect(transitions.filter(({ on }) => on === "hold").flatMap(({ emits }) => emits)).toEqual([])
    expect(transitions.filter(({ from }) => from === "HELD").map(({ on }) => on)).toEqual(["succeed", "decline"])
  })

  it("decisions: Refunds — what was refunded in full is paid again only by a further capture, or when a refund comes back", () => {
    expect(transactionMachine.transitions.filter(({ from }) => from === "REFUNDED").map(({ on }) => on)).toEqual([
      "capture",
      "refund_bounced",
    ])
  })

  it("decisions: Checkout — between two attempts nothing is announced", () => {
    expect(transactionMachine.require("PROCESSING", "retry").emits).toEqual([])
  })
})

describe("decisions: Checkout — payment attempt", () => {
  walk(attemptMachine, PAYMENT_ATTEMPT)

  it("money that paid, and money that was given back, stays so; only money that came too late, or was held, is given back", () => {
    expect(attemptMachine.transitions.filter(({ from }) => from === "SUCCEEDED" || from === "RETURNED")).toEqual([])
    expect(attemptMachine.transitions.filter(({ to }) => to === "SURPLUS").map(({ from }) => from)).toEqual([
      "HELD",
      "ABANDONED",
      "DECLINED",
    ])
  })
})

describe("decisions: Captures — authorised payments", () => {
  walk(authorizationMachine, AUTHORIZATION)
  walk(captureMachine, CAPTURE)
})

describe("contract 3.1 — subscription", () => {
  walk(subscriptionMachine, SUBSCRIPTION)

  it("decisions: Plans — cancel works from PENDING, TRIALING, ACTIVE, PAST_DUE and PAUSED", () => {
    const from = subscriptionMachine.transitions.filter(({ on }) => on === "cancel").map((row) => row.from)
    expect(from.sort()).toEqual(["ACTIVE", "PAST_DUE", "PAUSED", "PENDING", "TRIALING"])
  })

  it("nothing comes back from EXPIRED, and from CANCELLED only what undoes a cancellation (docs/decisions/11)", () => {
    const back = subscriptionMachine.transitions.filter(
      ({ from, to }) => /CANCELLED|EXPIRED/.test(from) && !/CANCELLED|EXPIRED/.test(to)
    )
    expect(back.map(({ from, on }) => `${from} ${on}`)).toEqual([
      "CANCELLED uncancel",
      "CANCELLED uncancel_trial",
      "CANCELLED uncancel_past_due",
    ])
  })
})
describe("contract 3.2 — billing record", () => walk(billingRecordMachine, BILLING_RECORD))
describe("contract 3.6 — invoice", () => walk(invoiceMachine, INVOICE))
describe("docs/decisions/10 — dispute", () => {
  walk(disputeMachine, DISPUTE)

  it("a dispute that was won, and an inquiry that has ended, stay so", () => {
    expect(disputeMachine.transitions.filter(({ from }) => from === "won" || from === "closed")).toEqual([])
  })
})
describe("docs/decisions/10 — payment link", () => walk(linkMachine, LINK))
describe("contract 3.4 — refund", () => {
  walk(refundMachine, REFUND)

  it("contract 6.2: it is initiated when it is created, and every event of it comes from one row", () => {
    expect(refundMachine.creation).toEqual({ emits: ["refund.initiated"], source: "6.2" })
    const emitted = refundMachine.transitions.flatMap(({ emits }) => emits)
    expect([...new Set(emitted)].sort()).toEqual([
      "refund.cancelled",
      "refund.completed",
      "refund.failed",
      "refund.processing",
    ])
  })

  it("contract 3.4: once processing it cannot be stopped, and what has ended stays so", () => {
    expect(refundMachine.transitions.filter(({ to }) => to === "cancelled").map(({ from }) => from)).toEqual([
      "pending",
      "pending",
    ])
    expect(refundMachine.transitions.filter(({ from }) => ["failed", "cancelled"].includes(from))).toEqual([])
  })

  it("decisions: Refunds — what was completed can only come back from the shopper's bank", () => {
    expect(refundMachine.transitions.filter(({ from }) => from === "completed").map(({ on }) => on)).toEqual(["bounce"])
  })
})
describe("decisions — order refund", () => walk(orderRefundMachine, ORDER_REFUND))
describe("decisions — refund proposal", () => walk(refundProposalMachine, REFUND_PROPOSAL))
describe("decisions — cash order", () => {
  walk(cashOrderMachine, CASH_ORDER)
  walk(cashRefundMachine, { open: { finish: ["done"], fail: ["failed"] } })
})

describe("decisions: Settlements", () => {
  walk(importMachine, SETTLEMENT_IMPORT)
  walk(lineMachine, SETTLEMENT_LINE)
  walk(monthMachine, { open: { close: ["closed"] }, closed: { reopen: ["open"] } })
})

describe("decisions — cart completion", () => walk(cartCompletionMachine, CART_COMPLETION))

describe("contract 3.3, decisions: Checkout — the status shown to the outside", () => {
  const expires = new Date("2026-01-01T00:30:00Z")
  const before = new Date("2026-01-01T00:29:59.999Z")

  it.each([
    ["OPEN", "PENDING", "EXPIRED"],
    ["PROCESSING", "PENDING", "PENDING"],
    ["HELD", "PENDING", "PENDING"],
    ["AUTHORIZED", "PENDING", "PENDING"],
    ["SUCCESS", "SUCCESS", "SUCCESS"],
    ["FAILED", "FAILED", "FAILED"],
    ["CANCELLED", "CANCELLED", "CANCELLED"],
    ["EXPIRED", "EXPIRED", "EXPIRED"],
    ["REFUNDED", "REFUNDED", "REFUNDED"],
  ] as const)("%s is %s before the session's end and %s from then on", (state, early, late) => {
    expect(publicStatus(state, expires, before)).toBe(early)
    expect(publicStatus(state, expires, expires)).toBe(late)
  })

  it("covers every state", () => {
    expect(TRANSACTION_STATES).toHaveLength(9)
  })
})

describe("design: state machines are checked when they are loaded", () => {
  const row = (from: string, on: string, to: string) => ({ from, on, to, emits: [], source: "decisions" })
  const define = (states: string[], triggers: string[], transitions: ReturnType<typeof row>[]) => () =>
    defineStateMachine({ name: "test", initial: "a", states, triggers, transitions })

  it("takes a good table", () => {
    const machine = define(["a", "b"], ["go"], [row("a", "go", "b")])()
    expect(machine.require("a", "go").to).toBe("b")
    expect(GatewayError.is(capture(() => machine.require("b", "go")))).toBe(true)
  })

  it.each([
    [
      "two rows for one state and trigger",
      ["a", "b", "c"],
      ["go"],
      [row("a", "go", "b"), row("a", "go", "c"), row("b", "go", "c")],
    ],
    ["a state that cannot be reached", ["a", "b", "c"], ["go"], [row("a", "go", "b")]],
    ["an island of states", ["a", "b", "c"], ["go"], [row("a", "go", "a"), row("b", "go", "c"), row("c", "go", "b")]],
    ["a trigger without a row", ["a", "b"], ["go", "stop"], [row("a", "go", "b")]],
    ["a row to a state that is not declared", ["a", "b"], ["go"], [row("a", "go", "b"), row("b", "go", "x")]],
    ["a row from a state that is not declared", ["a", "b"], ["go"], [row("a", "go", "b"), row("x", "go", "b")]],
    ["a row on a trigger that is not declared", ["a", "b"], ["go"], [row("a", "go", "b"), row("b", "halt", "a")]],
  ])("refuses %s", (_name, states, triggers, transitions) => {
    expect(define(states, triggers, transitions)).toThrow(/^test: /)
  })
})

function capture(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
