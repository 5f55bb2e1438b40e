import { useCallback } from "react"
import { useText } from "../text"
import { useConfirm } from "./use-confirm"

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
