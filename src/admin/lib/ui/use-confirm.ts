import { usePrompt } from "@medusajs/ui"
import { useCallback, useRef } from "react"
import { useText } from "../text"

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
