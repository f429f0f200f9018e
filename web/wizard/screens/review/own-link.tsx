import { ExternalLink } from "../../../ui/external-link.tsx";

interface OwnLinkProps {
  readonly href: string | null;
  /** What following it does, for whoever only listens. */
  readonly label: string;
  readonly id: string;
}

/** A record's id, and the way to it where there is one. The server has checked where it leads; a script is none anyway. */
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
