import { usePrompt } from "@medusajs/ui"
import { useCallback, useRef } from "react"
import { useText } from "../text"

/** `leave` is what leaves without an answer: "Cancel", where that is not what is asked about. */
type Question = { title: string; description: string; confirm: string; leave?: string; danger?: boolean }

/** Asks before what cannot be undone; true when the admin is sure. A second click asks no second time. */
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
