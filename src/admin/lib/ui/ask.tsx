import { Button, usePrompt } from "@medusajs/ui"
import { useText } from "../text"

type Props = {
  /** What the button says, and the prompt's own one. */
  label: string
  title: string
  text: string
  pending: boolean
  act: () => void
  /** Can be taken back: the prompt does not warn. */
  harmless?: boolean
}

/** A button that asks first. */
export const Ask = ({ label, title, text, pending, act, harmless = false }: Props) => {
  const say = useText()
  const prompt = usePrompt()
  const ask = async () => {
    const variant = harmless ? "confirmation" : "danger"
    if (await prompt({ title, description: text, confirmText: label, cancelText: say("common.close"), variant })) {
      act()
    }
  }
  return (
    <Button size="small" variant="secondary" isLoading={pending} onClick={() => void ask()}>
      {label}
    </Button>
  )
}
