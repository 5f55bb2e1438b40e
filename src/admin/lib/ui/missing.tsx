import { Button, Container, Heading, Text } from "@medusajs/ui"
import type { AdminError } from "../http"
import { ErrorState, Loading } from "./section"
import { Link } from "./page-links"

type MissingProps = {
  error: AdminError | null
  retry: () => void
  title: string
  text: string
  back: string
  to: string
}

/** Replaces a page whose object is loading, does not exist, or could not be loaded. */
export const NotThere = ({ error, retry, title, text, back, to }: MissingProps) => (
  <Container className="p-0">
    {error === null ? (
      <Loading lines={8} />
    ) : error.status === 404 ? (
      <div className="flex flex-col items-center gap-3 px-6 py-12 text-center">
        <Heading level="h1">{title}</Heading>
        <Text size="small" className="text-ui-fg-subtle">
          {text}
        </Text>
        <Button size="small" variant="secondary" asChild>
          <Link to={to}>{back}</Link>
        </Button>
      </div>
    ) : (
      <ErrorState error={error} retry={retry} />
    )}
  </Container>
)
