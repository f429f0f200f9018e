import { ExternalLink } from "../../../ui/external-link.tsx";

interface OwnLinkProps {
  readonly href: string | null;
  /** The link's accessible name. */
  readonly label: string;
  readonly id: string;
}

/** A record's id, linked to the record if it has a URL. The server has validated it; we still accept only http(s). */
export const OwnLink = ({ href, label, id }: OwnLinkProps) => {
  if (href === null || !/^https?:\/\//i.test(href))
    return (
      <span className="dim">
        <bdi>{id}</bdi>
      </span>
    );
  return (
    <ExternalLink href={href}>
      <span className="vh">{`${label}: `}</span>
      <bdi>{id}</bdi>
    </ExternalLink>
  );
};
