import { messageOf } from "../../../../i18n/message"
import { GatewayError } from "../errors"

/**
 * One row of a state machine, easy to compare with the contract. `source` is the contract's section, or "decisions"
 * where the contract says "not shown".
 */
type Transition<State extends string, Trigger extends string> = {
  from: State
  on: Trigger
  to: State
  emits: readonly string[]
  source: string
}

/** The events emitted when a row is created, before any transition. */
type Creation = { readonly emits: readonly string[]; readonly source: string }

export type StateMachine<State extends string, Trigger extends string> = {
  readonly name: string
  readonly creation: Creation
  readonly states: readonly State[]
  readonly triggers: readonly Trigger[]
  readonly transitions: readonly Transition<State, Trigger>[]
  readonly initial: State
  /** The row for a state and a trigger, or null when the trigger is forbidden there. */
  find(from: State, on: Trigger): Transition<State, Trigger> | null
  /** Like `find`, but a forbidden trigger is a 409 INVALID_STATE_TRANSITION. */
  require(from: State, on: Trigger): Transition<State, Trigger>
}

/**
 * Checks the table once, when its file is loaded: no duplicate rows, no undeclared state or trigger, no unreachable
 * state, no trigger without a row. A wrong table must stop the process at boot, not a payment later.
 */
export function defineStateMachine<State extends string, Trigger extends string>(definition: {
  name: string
  initial: State
  /** Absent: creation emits nothing. */
  creation?: Creation
  states: readonly State[]
  triggers: readonly Trigger[]
  transitions: readonly Transition<State, Trigger>[]
}): StateMachine<State, Trigger> {
  const rows = new Map<string, Transition<State, Trigger>>()
  for (const row of definition.transitions) {
    const key = `${row.from}|${row.on}`
    const declared = [row.from, row.to].every((state) => definition.states.includes(state))
    if (!declared || !definition.triggers.includes(row.on)) {
      throw new Error(`${definition.name}: ${key} to ${row.to} is not declared`)
    }
    if (rows.has(key)) {
      throw new Error(`${definition.name}: two rows for ${key}`)
    }
    rows.set(key, row)
  }
  assertReachable(definition)
  const find = (from: State, on: Trigger) => rows.get(`${from}|${on}`) ?? null
  return {
    ...definition,
    creation: definition.creation ?? { emits: [], source: "decisions" },
    find,
    require(from, on) {
      const row = find(from, on)
      if (row === null) {
        throw new GatewayError(
          "INVALID_STATE_TRANSITION",
          messageOf("refusal.state", { machine: definition.name, state: from, trigger: on })
        )
      }
      return row
    },
  }
}

function assertReachable<State extends string, Trigger extends string>(definition: {
  name: string
  initial: State
  states: readonly State[]
  triggers: readonly Trigger[]
  transitions: readonly Transition<State, Trigger>[]
}): void {
  const reached = new Set<State>([definition.initial])
  for (let size = 0; size !== reached.size;) {
    size = reached.size
    definition.transitions.filter(({ from }) => reached.has(from)).forEach(({ to }) => reached.add(to))
  }
  const lost = definition.states.filter((state) => !reached.has(state))
  const unused = definition.triggers.filter((trigger) => !definition.transitions.some(({ on }) => on === trigger))
  if (lost.length > 0 || unused.length > 0) {
    throw new Error(`${definition.name}: unreachable states [${lost}], unused triggers [${unused}]`)
  }
}
