import type { ComponentProps } from "react"
import { ActButton } from "./act-button"
import { useConfirm } from "./use-confirm"

type Props = Pick<ComponentProps<typeof ActButton>, "area" | "deletes" | "variant" | "className" | "aria-label"> & {
  /** The labels of the button and of its confirmation. */
  label: string
  title: string
  text: string
  pending: boolean
  act: () => void
  /** Can be undone: the confirmation is no warning. */
  harmless?: boolean
}

/** A button that asks for confirmation. */
export const Ask = ({ label, title, text, pending, act, harmless = false, variant = "secondary", ...look }: Props) => {
  const confirm = useConfirm()
  const ask = async () => {
    if (await confirm({ title, description: text, confirm: label, danger: !harmless })) {
      act()
    }
  }
  return (
    <ActButton variant={variant} {...look} isLoading={pending} onClick={() => void ask()}>
      {label}
    </ActButton>
  )
}
