import { usePrompt } from "@medusajs/ui"
import { useQuery } from "@tanstack/react-query"
import { useCallback, useEffect, useRef, useState } from "react"
import { useBlocker } from "react-router-dom"
import type { AdminError } from "../http"
import { useText } from "../text"

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
  const isOpen = useRef(false)
  const { state, location } = blocker
  useEffect(() => {
    // By location: after a quick second Back, React never draws the "unblocked" between two blocked ones.
    if (state === "blocked" && !isOpen.current) {
      isOpen.current = true
      void latest.current.ask().then((isSure) => {
        isOpen.current = false
        // Back may have been pressed once more while the question was on screen: the last one counts.
        const { blocker: now } = latest.current
        if (now.state === "blocked") {
          const leave = isSure ? now.proceed : now.reset
          leave()
        }
      })
    }
  }, [state, location])
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

/** `leave` is the label of the dismissing button: "Cancel", unless the question itself is about cancelling. */
type Question = { title: string; description: string; confirm: string; leave?: string; danger?: boolean }

/** The questions on screen; each is in a React tree of its own. */
const open = new Set<symbol>()

/** Whether a question is on screen. What is pressed then, such as the second press of a double click, is for nothing else. */
export function isAsking(): boolean {
  return open.size > 0
}

/** Asks for confirmation of what cannot be undone; true when the admin agrees. A second click does not ask again. */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const say = useText()
  const prompt = usePrompt()
  const question = useRef(Symbol("question")).current
  return useCallback(
    async ({ title, description, confirm, leave, danger = true }) => {
      if (open.has(question)) {
        return false
      }
      open.add(question)
      const variant = danger ? "danger" : "confirmation"
      const isSure = await prompt({
        title,
        description,
        confirmText: confirm,
        cancelText: leave ?? say("common.cancel"),
        variant,
      })
      open.delete(question)
      return isSure
    },
    [prompt, say, question]
  )
}

export type Item = { value: string; label: string }
export type Found<One extends Item> = { items: readonly One[]; more: boolean }

/** How to find one of many items: by the server, from the typed text. */
export type Search<One extends Item> = {
  /** The scope of the rows: results of one scope are never shown in another. Null: not known yet. */
  scope: readonly unknown[] | null
  /** An empty text finds the first ones. */
  find: (text: string, signal: AbortSignal) => Promise<Found<One>>
  /** The messages for no items at all, and for no match. */
  none: string
  nothing: string
}

/** The search starts when the typing pauses, not at each letter. */
const PAUSE_MS = 250

/**
 * The server's matches for the text; none while the search runs, because results for an earlier text could be mistaken
 * for them.
 */
export function useFound<One extends Item>({ scope, find }: Search<One>, text: string, enabled: boolean) {
  const [asked, setAsked] = useState(text)
  useEffect(() => {
    const pause = setTimeout(() => setAsked(text), PAUSE_MS)
    return () => clearTimeout(pause)
  }, [text])
  const { data, error } = useQuery<Found<One>, AdminError>({
    queryKey: ["gateway", "found", scope, asked],
    queryFn: ({ signal }) => find(asked, signal),
    enabled: enabled && scope !== null,
    staleTime: 0,
    retry: false,
  })
  return text === asked ? { found: data, error } : { found: undefined, error: null }
}
