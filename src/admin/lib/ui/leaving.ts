import { useCallback, useEffect, useRef } from "react"
import { useBlocker } from "react-router-dom"
import { useText } from "../text"
import { useConfirm } from "./use-confirm"

/** What is entered on a page, in a drawer or a form, and not sent yet. A set: the router takes one blocker only. */
const unsaved = new Set<symbol>()

function isAnyUnsaved(): boolean {
  return unsaved.size > 0
}

/** Makes the page ask before an entry is lost; `isChanged`: there is something to lose. */
export function useUnsaved(isChanged: boolean): void {
  useEffect(() => {
    const entry = Symbol("entry")
    if (isChanged) {
      unsaved.add(entry)
    }
    return () => void unsaved.delete(entry)
  }, [isChanged])
}

/** Asks whether what was entered may be thrown away. */
export function useDiscardQuestion(): () => Promise<boolean> {
  const say = useText()
  const confirm = useConfirm()
  return useCallback(async () => {
    // The question closes by Escape too: it must not see the key press that asks it.
    await new Promise((resolve) => setTimeout(resolve))
    return confirm({
      title: say("common.discard_title"),
      description: say("common.discard_hint"),
      confirm: say("common.discard"),
      leave: say("common.keep_editing"),
    })
  }, [say, confirm])
}

/**
 * Asks before a change of the address throws away what `useUnsaved` reports: a link, Back, another merchant, and also a
 * drawer that closes, because the address holds what is open. Once for all of a page.
 */
export function useLeavingQuestion(): void {
  const blocker = useBlocker(isAnyUnsaved)
  const ask = useDiscardQuestion()
  const latest = useRef({ blocker, ask })
  useEffect(() => void (latest.current = { blocker, ask }))
  const { state } = blocker
  useEffect(() => {
    if (state === "blocked") {
      void latest.current.ask().then((isSure) => {
        // Back may have been pressed once more while the question was on screen: the last one counts.
        const { blocker: now } = latest.current
        if (now.state === "blocked") {
          const leave = isSure ? now.proceed : now.reset
          leave()
        }
      })
    }
  }, [state])
  useEffect(() => {
    // The browser asks in its own words.
    const ask = (event: BeforeUnloadEvent) => isAnyUnsaved() && event.preventDefault()
    window.addEventListener("beforeunload", ask)
    return () => window.removeEventListener("beforeunload", ask)
  }, [])
}

/** The same on one of Medusa's own pages, while a form is open there. */
export const LeavingQuestion = () => {
  useLeavingQuestion()
  return null
}
