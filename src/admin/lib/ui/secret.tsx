import { Alert, Button, FocusModal, Heading, Text } from "@medusajs/ui"
import { useLocale, useText } from "../text"
import { Copied } from "./bits"

type Props = { secret: string | null; title: string; hint: string; onStored: () => void }

/** Shows a secret that is shown only once. Only the button closes it: a click beside it must not lose the secret. */
export const SecretModal = ({ secret, title, hint, onStored }: Props) => {
  const say = useText()
  const locale = useLocale()
  return (
    <FocusModal open={secret !== null}>
      <FocusModal.Content
        lang={locale}
        aria-describedby={undefined}
        onEscapeKeyDown={(event) => event.preventDefault()}
      >
        <FocusModal.Body className="flex flex-1 flex-col items-center overflow-y-auto">
          <div className="flex w-full max-w-[640px] flex-col gap-6 px-4 py-16">
            <FocusModal.Title asChild>
              <Heading>{title}</Heading>
            </FocusModal.Title>
            <div className="bg-ui-bg-subtle border-ui-border-base rounded-lg border p-4">
              <Copied text={secret ?? ""} />
            </div>
            <Alert variant="warning">
              <Text size="small">{hint}</Text>
            </Alert>
            <Button className="self-start" onClick={onStored}>
              {say("developers.keys.stored")}
            </Button>
          </div>
        </FocusModal.Body>
      </FocusModal.Content>
    </FocusModal>
  )
}
