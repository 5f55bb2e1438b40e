import { usePrompt } from "@medusajs/ui"
import { useCallback, useRef } from "react"
import { useText } from "../text"

/** `leave` is the label of the dismissing button: "Cancel", unless the question itself is about cancelling. */
type Question = { title: string; description: string; confirm: string; leave?: string; danger?: boolean }

/** Asks for confirmation of what cannot be undone; true when the admin agrees. A second click does not ask again. */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const say = useText()
  const prompt = usePrompt()
  const isAsking = useRef(false)
  return useCallback(
    async ({ title, description, confirm, leave, danger = true }) => {
      if (isAsking.current) {
        return false
      }
      isAsking.current = true
      const variant = danger ? "danger" : "confirmation"
      const isSure = await prompt({
        title,
        description,
        confirmText: confirm,
        cancelText: leave ?? say("common.cancel"),
        variant,
      })
      isAsking.current = false
      return isSure
    },
    [prompt, say]
  )
}
